//! Several workers at one list of tasks. Tasks are made in any order; what that means for the results is the list's business.

use crate::error::RunError;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What a worker is to do.
#[derive(Clone, Debug)]
pub(crate) enum Next<T> {
    /// Make this.
    Make(T),
    /// Wait until another worker has handed something in.
    Wait,
    /// There is nothing left, or the work is to end.
    Nothing,
}

/// A list of tasks. One worker at a time looks at it.
pub(crate) trait Tasks: Send {
    /// Something to make.
    type Task;
    /// What came of it.
    type Done;

    /// The next task.
    fn next(&mut self) -> Next<Self::Task>;

    /// Takes in what came of a task.
    fn put(&mut self, done: Self::Done);

    /// A worker was lost: its task will not come back, so nobody may wait for it.
    fn give_up(&mut self);
}

/// Makes all tasks, `jobs` at a time (0 counts as 1), and gives the list back.
///
/// # Errors
/// If the threads cannot be started.
pub(crate) fn work<T: Tasks>(tasks: T, jobs: usize, make: impl Fn(T::Task) -> T::Done + Sync) -> Result<T, RunError> {
    let jobs = jobs.max(1);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(|e| RunError::Options(format!("{jobs} jobs cannot be started: {e}")))?;
    let desk = Desk { tasks: Mutex::new(tasks), moved: Condvar::new() };
    pool.broadcast(|_| {
        let _guard = LostGuard(&desk);
        while let Some(task) = desk.take() {
            desk.put(make(task));
        }
    });
    Ok(desk.tasks.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Where workers take tasks and hand them in.
struct Desk<T> {
    tasks: Mutex<T>,
    moved: Condvar,
}

impl<T: Tasks> Desk<T> {
    /// A worker that panicked has not left a half-made change: results are put in whole.
    fn lock(&self) -> MutexGuard<'_, T> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<T::Task> {
        let mut tasks = self.lock();
        loop {
            match tasks.next() {
                Next::Make(task) => return Some(task),
                Next::Nothing => return None,
                Next::Wait => tasks = self.moved.wait(tasks).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn put(&self, done: T::Done) {
        self.lock().put(done);
        self.moved.notify_all();
    }
}

/// Ends the work if a worker panics, so that no other waits for it for ever.
struct LostGuard<'a, T: Tasks>(&'a Desk<T>);

impl<T: Tasks> Drop for LostGuard<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().give_up();
            self.0.moved.notify_all();
        }
    }
}

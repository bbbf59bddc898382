//! Several workers at one queue of tasks. Tasks are made in any order; what that means for the results is the queue's business.

use crate::error::RunError;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The next thing for a worker.
#[derive(Clone, Debug)]
pub enum Next<T> {
    /// Make this.
    Make(T),
    /// Wait until another worker has handed something in.
    Wait,
    /// There is nothing left, or the work is to end.
    Nothing,
}

/// A queue of tasks. One worker at a time uses it.
pub trait TaskQueue: Send {
    /// Something to make.
    type Task;
    /// Result of a task.
    type Done;

    /// The next task.
    fn next(&mut self) -> Next<Self::Task>;

    /// Adds the result of a task.
    fn complete(&mut self, done: Self::Done);

    /// A worker was lost: its task will not come back, so no worker may wait for it.
    fn abort(&mut self);
}

/// Makes all tasks, `jobs` at a time (0 counts as 1), and returns the queue.
///
/// # Errors
/// If the threads cannot be started.
pub fn work<T: TaskQueue>(tasks: T, jobs: usize, make: impl Fn(T::Task) -> T::Done + Sync) -> Result<T, RunError> {
    let pool = pool_of(jobs)?;
    let shared = SharedQueue { tasks: Mutex::new(tasks), moved: Condvar::new() };
    pool.broadcast(|_| {
        let _guard = LostGuard(&shared);
        while let Some(task) = shared.take() {
            shared.complete(make(task));
        }
    });
    Ok(shared.tasks.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Makes one thing on one of `jobs` threads (0 counts as 1). The others are free for parts of its steps, which worlds may share out.
///
/// # Errors
/// If the threads cannot be started.
pub fn work_on_one<T: Send>(jobs: usize, make: impl FnOnce() -> T + Send) -> Result<T, RunError> {
    Ok(pool_of(jobs)?.install(make))
}

fn pool_of(jobs: usize) -> Result<rayon::ThreadPool, RunError> {
    let jobs = jobs.max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    pool.map_err(|e| RunError::Options(format!("{jobs} jobs cannot be started: {e}")))
}

/// The queue that the workers share.
struct SharedQueue<T> {
    tasks: Mutex<T>,
    moved: Condvar,
}

impl<T: TaskQueue> SharedQueue<T> {
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

    fn complete(&self, done: T::Done) {
        self.lock().complete(done);
        self.moved.notify_all();
    }
}

/// Ends the work if a worker panics, so that no other waits for it for ever.
struct LostGuard<'a, T: TaskQueue>(&'a SharedQueue<T>);

impl<T: TaskQueue> Drop for LostGuard<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().abort();
            self.0.moved.notify_all();
        }
    }
}

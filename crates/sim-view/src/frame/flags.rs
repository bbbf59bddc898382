//! What events tell about owners until another event.

use super::events::Events;
use crate::folder::{FolderError, RunFolder};
use sim_world::view::Flag;
use std::collections::BTreeSet;

/// A flag as the events come.
#[derive(Debug)]
pub(super) struct FlagReader {
    events: Option<Events>,
    owner: usize,
    matching: Vec<(usize, String)>,
    holds: (usize, String),
    owners: BTreeSet<u64>,
}

impl FlagReader {
    pub fn new(folder: &RunFolder, flag: &Flag) -> Result<Self, FolderError> {
        let columns = || flag.matching.iter().chain([&flag.holds]).map(|[column, _]| column);
        let table = folder.stream(&flag.events, |column| columns().any(|wanted| wanted == column))?;
        let mut reader = Self {
            events: None,
            owner: 0,
            matching: Vec::new(),
            holds: (0, flag.holds[1].clone()),
            owners: BTreeSet::new(),
        };
        if let Some(table) = table {
            reader.owner = table.stream().owner().unwrap_or(0);
            reader.holds.0 = table.places(&flag.holds[0])?.start;
            for [column, text] in &flag.matching {
                reader.matching.push((table.places(column)?.start, text.clone()));
            }
            reader.events = Some(Events::new(table));
        }
        Ok(reader)
    }

    /// The owners for which it holds after a step, which must not be before the last one.
    pub fn up_to(&mut self, step: u64) -> Result<&BTreeSet<u64>, FolderError> {
        let Self { events, owner, matching, holds, owners } = self;
        if let Some(events) = events {
            events.up_to(
                |moment| moment.step <= step,
                |table, _, row| {
                    let is = |(place, text): &(usize, String)| table.words().text(row[*place]) == text;
                    if !matching.iter().all(is) {
                        return;
                    }
                    let number = row[*owner] as u64;
                    if is(holds) {
                        owners.insert(number);
                    } else {
                        owners.remove(&number);
                    }
                },
            )?;
        }
        Ok(owners)
    }
}

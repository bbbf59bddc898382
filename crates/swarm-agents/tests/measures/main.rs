//! What a run is judged by, checked against cases that can be worked out by hand.

mod batch;
mod distances;
mod feet;
mod goals;
mod life;
mod motion;
mod stage;
mod wishes;

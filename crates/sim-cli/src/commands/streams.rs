//! `sim-cli streams`.

use crate::args::{Format, StreamsArgs};
use crate::outcome::{Failure, Outcome};
use crate::reporter::Reporter;
use crate::source;
use serde_json::json;
use sim_run::tables::streams::described;
use sim_world::{Cadence, Stream};
use std::fmt::Write;

/// Lists the streams that a scenario's runs yield and take.
pub fn streams(args: &StreamsArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let loaded = source::load(&args.scenario, None, &args.set)?;
    let (outputs, inputs) = (loaded.model.outputs(), loaded.model.inputs());
    match args.format {
        Format::Text => {
            let name = loaded.model.info().name;
            let mut text = format!("{name} yields\n");
            outputs.iter().for_each(|stream| append(&mut text, stream, ""));
            text += &format!("\n{name} takes\n");
            inputs.iter().for_each(|stream| append(&mut text, stream, "inputs-"));
            reporter.result(&text)?;
        }
        Format::Json => reporter.json_result(&json!({
            "kind": "streams",
            "name": loaded.model.info().name,
            "outputs": described(outputs),
            "inputs": described(inputs),
        }))?,
    }
    Ok(Outcome::Done)
}

/// A stream with a line for each column.
fn append(text: &mut String, stream: &Stream, prefix: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{prefix}{}.csv: {}, {}", stream.name, stream.about, cadence(stream));
    let width = stream.columns.iter().map(|column| column.name.len()).max().unwrap_or(0);
    for column in &stream.columns {
        let unit = match column.unit() {
            "" => String::new(),
            unit => format!(" [{unit}]"),
        };
        let range = column.range.map_or_else(String::new, |[min, max]| format!(", from {min} to {max}"));
        let _ = writeln!(text, "  {:<width$}  {}{unit}{range}", column.name, column.about);
    }
}

fn cadence(stream: &Stream) -> String {
    match stream.cadence {
        Cadence::Sampled { owners: 1 } if stream.is_sparse => "a row whenever one is due and there is one".to_owned(),
        Cadence::Sampled { owners: 1 } => "one row whenever a row is due".to_owned(),
        Cadence::Sampled { owners } => format!("{owners} rows whenever a row is due"),
        Cadence::OnEvent { at_most: Some(rows) } => format!("as they come, at most {rows} rows"),
        Cadence::OnEvent { at_most: None } => "as they come".to_owned(),
        Cadence::AtEnd => "at the end, in the folder of a batch".to_owned(),
    }
}

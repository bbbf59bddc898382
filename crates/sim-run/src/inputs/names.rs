//! The names of files of inputs in the scenario of a run folder.

use crate::run_folder::input_file_name;
use sim_input::diagnostic::Origin;
use sim_input::tree::{self, Member, Node, Value};
use sim_input::write::hand_written;

/// The key of the files of what comes in.
pub(crate) const INPUTS_KEY: &str = "inputs";

/// The text of a scenario with its key `inputs` last, which names the files of these streams beside it; without streams there is no such
/// key. A text that is no JSON stays as it is.
pub(crate) fn with_inputs(scenario_json: &str, streams: &[&str]) -> String {
    edited(scenario_json, |root| name_inputs(root, streams))
}

/// The text of a scenario with a change.
pub(crate) fn edited(scenario_json: &str, change: impl FnOnce(&mut Node)) -> String {
    let Ok(mut root) = tree::parse(scenario_json, "{}", &Origin::Text) else { return scenario_json.to_owned() };
    change(&mut root);
    hand_written(&root)
}

/// The same on a tree.
pub(crate) fn name_inputs(root: &mut Node, streams: &[&str]) {
    root.remove(INPUTS_KEY);
    if streams.is_empty() {
        return;
    }
    let origin = root.origin.clone();
    let member = |stream: &&str| Member {
        name: (*stream).to_owned(),
        name_origin: origin.clone(),
        node: Node { value: Value::Text(input_file_name(stream)), origin: origin.clone() },
    };
    let members = streams.iter().map(member).collect();
    root.insert(INPUTS_KEY, Node { value: Value::Object(members), origin });
}

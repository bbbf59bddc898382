//! The known word that a misspelt one was probably meant to be.

/// The nearest of `known` words, if one is near enough to suggest. Of equals the first.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .filter_map(|candidate| distance(word, candidate).map(|distance| (distance, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The end of a message that suggests a word, or nothing.
#[must_use]
pub fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; did you mean {meant:?}?"))
}

/// How far a word is from a known one: 0 if only case, hyphens or the unit at the end differ. None: too far.
fn distance(word: &str, known: &str) -> Option<usize> {
    // A long word is no typing error of a short key, and comparing it would take time.
    if word.len() > known.len() + 8 {
        return None;
    }
    let (word, known) = (plain(word), plain(known));
    if word == known || (word.len() > 2 && known.strip_prefix(&word).is_some_and(|rest| rest.starts_with('_'))) {
        return Some(0);
    }
    let longest = word.chars().count().max(known.chars().count());
    let distance = strsim::damerau_levenshtein(&word, &known);
    (distance <= (longest / 3).max(1) && distance < longest).then_some(distance)
}

fn plain(word: &str) -> String {
    word.to_lowercase().replace(['-', ' '], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_understood_and_other_words_are_not() {
        let keys = ["count", "core_inset_mm", "speed_mm_s", "speed_slack_mm_s", "noise", "d_h_mm", "$schema"];
        for (word, meant) in [
            ("cuont", Some("count")),
            ("Count", Some("count")),
            ("speed", Some("speed_mm_s")),
            ("core-inset", Some("core_inset_mm")),
            ("d_h", Some("d_h_mm")),
            ("schema", Some("$schema")),
            ("radius", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, keys.into_iter()), meant, "{word}");
        }
    }
}

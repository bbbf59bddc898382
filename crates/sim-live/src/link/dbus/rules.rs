//! Match rules: which signals a connection wants.
//!
//! Source: the D-Bus specification 0.43, section "Match Rules". Clients write them with quotes and without, mixed in one rule.

use super::wire::{Kind, Message, Value};

/// Longest rule, bytes.
const MAX_RULE_BYTES: usize = 1024;

/// A rule. What it does not name is left open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchRule {
    wants: Vec<(Key, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Type,
    Sender,
    Interface,
    Member,
    Path,
    PathNamespace,
    Arg0,
    Arg0Path,
    Arg0Namespace,
}

impl MatchRule {
    /// The rule of a text; none if it is none. Keys that a signal of ours never has, such as `destination`, are left out.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_RULE_BYTES {
            return None;
        }
        let mut wants = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (name, after) = rest.split_once('=')?;
            let (value, after) = value(after);
            let key = match name.trim() {
                "type" => Some(Key::Type),
                "sender" => Some(Key::Sender),
                "interface" => Some(Key::Interface),
                "member" => Some(Key::Member),
                "path" => Some(Key::Path),
                "path_namespace" => Some(Key::PathNamespace),
                "arg0" => Some(Key::Arg0),
                "arg0path" => Some(Key::Arg0Path),
                "arg0namespace" => Some(Key::Arg0Namespace),
                _ => None,
            };
            wants.extend(key.map(|key| (key, value)));
            rest = after;
        }
        Some(Self { wants })
    }

    /// True if it wants this signal, which `owner` sends.
    #[must_use]
    pub fn wants(&self, signal: &Message, owner: &str) -> bool {
        let first = signal.body.first().and_then(Value::as_str);
        self.wants.iter().all(|(key, value)| match key {
            Key::Type => value == "signal" && signal.kind == Kind::Signal,
            Key::Sender => *value == signal.sender || value == owner,
            Key::Interface => *value == signal.interface,
            Key::Member => *value == signal.member,
            Key::Path => *value == signal.path,
            Key::PathNamespace => is_below(&signal.path, value, '/'),
            Key::Arg0 => first == Some(value),
            Key::Arg0Path => first.is_some_and(|first| {
                first == value
                    || (value.ends_with('/') && first.starts_with(value.as_str()))
                    || (first.ends_with('/') && value.starts_with(first))
            }),
            Key::Arg0Namespace => first.is_some_and(|first| is_below(first, value, '.')),
        })
    }
}

/// True for the name itself and for what lies below it.
fn is_below(name: &str, root: &str, separator: char) -> bool {
    let is_root = separator == '/' && root == "/";
    is_root || name.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with(separator))
}

/// A value up to the comma behind it, without its quotes; and the text behind the comma.
fn value(text: &str) -> (String, &str) {
    let (mut value, mut is_quoted) = (String::new(), false);
    for (at, sign) in text.char_indices() {
        match sign {
            '\'' => is_quoted = !is_quoted,
            ',' if !is_quoted => return (value, &text[at + 1..]),
            _ => value.push(sign),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added() -> Message {
        Message {
            kind: Kind::Signal,
            path: "/".to_owned(),
            interface: "org.freedesktop.DBus.ObjectManager".to_owned(),
            member: "InterfacesAdded".to_owned(),
            sender: ":1.0".to_owned(),
            body: vec![Value::Path("/org/bluez/hci0/dev_F0_00_00_00_00_00".to_owned())],
            ..Message::default()
        }
    }

    fn wants(rule: &str, signal: &Message) -> bool {
        MatchRule::parse(rule).unwrap().wants(signal, "org.bluez")
    }

    /// As bleak writes it: without quotes, with a slash at the end.
    #[test]
    fn rules_of_bleak_are_read() {
        let rule =
            "type=signal,interface=org.freedesktop.DBus.ObjectManager,member=InterfacesAdded,arg0path=/org/bluez/";
        assert!(wants(rule, &added()));
        assert!(!wants(rule, &Message { member: "InterfacesRemoved".to_owned(), ..added() }));
        assert!(!wants(rule, &Message { body: vec![Value::Path("/org/other".to_owned())], ..added() }));
    }

    /// As dbus-next and libdbus write them: quotes round some of the values.
    #[test]
    fn rules_with_quotes_are_read() {
        assert!(wants(
            "type='signal',sender=org.bluez,interface='org.freedesktop.DBus.ObjectManager',path='/'",
            &added()
        ));
        assert!(wants("type='signal',sender=':1.0',path_namespace='/'", &added()));
        assert!(!wants("type='signal',sender='org.freedesktop.DBus'", &added()));
        assert!(wants("", &added()));
        assert!(wants("type='signal',destination=':1.7'", &added()));
        assert!(!wants("type='method_call'", &added()));
    }

    #[test]
    fn namespaces_end_at_their_separator() {
        let at = |path: &str| Message { path: path.to_owned(), ..added() };
        assert!(
            wants("path_namespace=/org/bluez", &at("/org/bluez"))
                && wants("path_namespace=/org/bluez", &at("/org/bluez/hci0"))
        );
        assert!(!wants("path_namespace=/org/bluez", &at("/org/bluezoo")));
        let changed = |name: &str| Message { body: vec![Value::str(name)], ..added() };
        assert!(wants("arg0namespace=org.bluez", &changed("org.bluez.Device1")));
        assert!(!wants("arg0namespace=org.bluez", &changed("org.bluezoo")));
        assert!(wants("arg0=org.bluez.Device1", &changed("org.bluez.Device1")));
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        assert_eq!(MatchRule::parse("type"), None);
        assert_eq!(MatchRule::parse(&"a=b,".repeat(400)), None);
    }
}

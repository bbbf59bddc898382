//! The Standard IDs there are, with their names, numbers and printed sizes (toio facts, section 4).
//!
//! Collection items carry 3 670 000 plus the number in the facts; simple cards carry 0x380100 plus a code, which is the ASCII code of the
//! symbol or, for symbols beyond ASCII, of one that resembles it. Front and back of an item have the same ID.
//!
//! Widths are those with which the Unity simulator draws an item. Where the facts give none (expansion pack) an item is as large as a
//! card of the collection. Heights follow from the widths and the shapes of the simulator's pictures: square but for skunks and
//! simple cards (535 x 502 pixels).

use crate::name::UnknownName;
use std::str::FromStr;

/// Added to the numbers of collection items.
const COLLECTION_BASE: u32 = 3_670_000;
/// Added to the codes of simple cards.
const SIMPLE_BASE: u32 = 0x38_0100;

/// Cards of the collection, and what is taken for the expansion pack.
const CARD: [f64; 2] = [57.5, 57.5];
const STICKER: [f64; 2] = [57.5, 57.5];
const MARK: [f64; 2] = [30.0, 30.0];
const SIMPLE: [f64; 2] = [40.0, 37.5];

/// An item that shows one Standard ID.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandardItem {
    /// The Standard ID.
    pub value: u32,
    /// Kebab-case name.
    pub name: &'static str,
    /// What it is called in print; for a simple card, its symbol.
    pub title: &'static str,
    /// Width and height of the print, mm.
    pub size_mm: [f64; 2],
}

const fn collection(number: u32, name: &'static str, title: &'static str, size_mm: [f64; 2]) -> StandardItem {
    StandardItem { value: COLLECTION_BASE + number, name, title, size_mm }
}

const fn simple(code: u8, name: &'static str, symbol: &'static str) -> StandardItem {
    StandardItem { value: SIMPLE_BASE + code as u32, name, title: symbol, size_mm: SIMPLE }
}

/// Every item, in the order of the facts.
pub static STANDARD_ITEMS: [StandardItem; 98] = [
    // Craft Fighter cards.
    collection(16, "typhoon", "Typhoon", CARD),
    collection(54, "rush", "Rush", CARD),
    collection(18, "auto-tackle", "Auto-Tackle", CARD),
    collection(56, "random", "Random", CARD),
    collection(20, "powered-up-strike", "Powered Up Strike", CARD),
    collection(58, "powered-up-slap", "Powered Up Slap", CARD),
    collection(22, "side-attack", "Side Attack", CARD),
    collection(60, "easy-mode", "Easy Mode", CARD),
    // Rhythm & Go cards.
    collection(24, "rhythm-left", "Left", CARD),
    collection(62, "rhythm-right", "Right", CARD),
    collection(26, "rhythm-forward", "Forward", CARD),
    collection(64, "rhythm-back", "Back", CARD),
    collection(28, "rhythm-go", "GO", CARD),
    // Skunk Chaser skunks.
    collection(78, "skunk-blue", "Blue", [179.0, 32.0]),
    collection(42, "skunk-green", "Green", [162.0, 36.0]),
    collection(80, "skunk-yellow", "Yellow", [145.0, 39.8]),
    collection(44, "skunk-orange", "Orange", [133.5, 43.6]),
    collection(82, "skunk-red", "Red", [128.5, 48.7]),
    collection(46, "skunk-brown", "Brown", [122.5, 55.8]),
    // Stickers.
    collection(66, "sticker-speed-up", "Speed Up", STICKER),
    collection(30, "sticker-slow-down", "Slow Down", STICKER),
    collection(68, "sticker-wobble", "Wobble", STICKER),
    collection(32, "sticker-panic", "Panic", STICKER),
    collection(70, "sticker-spin", "Spin", STICKER),
    collection(34, "sticker-shock", "Shock", STICKER),
    // Marks.
    collection(48, "mark-craft-fighter", "Craft Fighter", MARK),
    collection(52, "mark-rhythm-and-go", "Rhythm & Go", MARK),
    collection(86, "mark-skunk-chaser", "Skunk Chaser", MARK),
    collection(50, "mark-finger-strike", "Finger Strike", MARK),
    collection(88, "mark-finger-strike-1p", "Finger Strike 1P", MARK),
    collection(84, "mark-free-move", "Free Move", MARK),
    // Expansion pack.
    collection(92, "quick-skunk-2p", "Quick Skunk 2P", CARD),
    collection(94, "quick-skunk-cpu", "Quick Skunk CPU", CARD),
    collection(96, "kaiju-busters", "Kaiju Busters", CARD),
    collection(98, "watch-out-free", "Watch Out! free", CARD),
    collection(100, "watch-out-2p", "Watch Out! 2P", CARD),
    collection(102, "watch-out-cpu", "Watch Out! CPU", CARD),
    collection(104, "color-memory", "Color Memory", CARD),
    collection(106, "laser-beam-challenge", "Laser Beam challenge", CARD),
    collection(108, "laser-beam-create", "Laser Beam create", CARD),
    collection(110, "baton", "Baton", CARD),
    collection(112, "pull-back", "Pull Back", CARD),
    collection(114, "dash", "Dash", CARD),
    collection(116, "dont-disturb-normal", "Don't Disturb normal", CARD),
    collection(118, "dont-disturb-rodeo", "Don't Disturb rodeo", CARD),
    collection(120, "answer", "Answer", CARD),
    collection(122, "music-1", "Music 1", CARD),
    collection(124, "music-2", "Music 2", CARD),
    collection(126, "music-3", "Music 3", CARD),
    collection(128, "music-4", "Music 4", CARD),
    // Simple cards.
    simple(b'0', "simple-0", "0"),
    simple(b'1', "simple-1", "1"),
    simple(b'2', "simple-2", "2"),
    simple(b'3', "simple-3", "3"),
    simple(b'4', "simple-4", "4"),
    simple(b'5', "simple-5", "5"),
    simple(b'6', "simple-6", "6"),
    simple(b'7', "simple-7", "7"),
    simple(b'8', "simple-8", "8"),
    simple(b'9', "simple-9", "9"),
    simple(b'A', "simple-a", "A"),
    simple(b'B', "simple-b", "B"),
    simple(b'C', "simple-c", "C"),
    simple(b'D', "simple-d", "D"),
    simple(b'E', "simple-e", "E"),
    simple(b'F', "simple-f", "F"),
    simple(b'G', "simple-g", "G"),
    simple(b'H', "simple-h", "H"),
    simple(b'I', "simple-i", "I"),
    simple(b'J', "simple-j", "J"),
    simple(b'K', "simple-k", "K"),
    simple(b'L', "simple-l", "L"),
    simple(b'M', "simple-m", "M"),
    simple(b'N', "simple-n", "N"),
    simple(b'O', "simple-o", "O"),
    simple(b'P', "simple-p", "P"),
    simple(b'Q', "simple-q", "Q"),
    simple(b'R', "simple-r", "R"),
    simple(b'S', "simple-s", "S"),
    simple(b'T', "simple-t", "T"),
    simple(b'U', "simple-u", "U"),
    simple(b'V', "simple-v", "V"),
    simple(b'W', "simple-w", "W"),
    simple(b'X', "simple-x", "X"),
    simple(b'Y', "simple-y", "Y"),
    simple(b'Z', "simple-z", "Z"),
    simple(b'!', "simple-exclamation", "!"),
    simple(b'%', "simple-percent", "%"),
    simple(b'*', "simple-times", "×"),
    simple(b'+', "simple-plus", "+"),
    simple(b'-', "simple-minus", "−"),
    simple(b'/', "simple-divide", "÷"),
    simple(b'<', "simple-left", "←"),
    simple(b'=', "simple-equals", "="),
    simple(b'>', "simple-right", "→"),
    simple(b'?', "simple-question", "?"),
    simple(b'^', "simple-up", "↑"),
    simple(b'_', "simple-down", "↓"),
];

impl StandardItem {
    /// The item with this Standard ID, if there is one.
    #[must_use]
    pub fn with_value(value: u32) -> Option<Self> {
        STANDARD_ITEMS.iter().copied().find(|item| item.value == value)
    }

    /// The simple card with this symbol, if there is one: `'A'`, `'7'`, `'×'`, `'↑'`. Letters are capitals.
    #[must_use]
    pub fn with_symbol(symbol: char) -> Option<Self> {
        STANDARD_ITEMS.iter().copied().find(|item| {
            let mut title = item.title.chars();
            title.next() == Some(symbol) && title.next().is_none()
        })
    }
}

impl FromStr for StandardItem {
    type Err = UnknownName;

    /// The item with this name.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        STANDARD_ITEMS.iter().copied().find(|item| item.name == name).ok_or_else(|| UnknownName {
            what: "Standard ID",
            given: name.to_owned(),
            known: STANDARD_ITEMS.iter().map(|item| item.name).collect(),
        })
    }
}

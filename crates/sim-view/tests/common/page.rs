//! The data of a page, read back by the words of the format alone: base64, deflate, a length, a head, and numbers in groups of seven bits.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::io::Read;

/// What stands for "too near" in a column.
pub const TOO_NEAR: i64 = -2_147_483_647;

/// A page's head and its columns.
pub struct PageData {
    pub head: Value,
    bytes: Vec<u8>,
}

impl PageData {
    pub fn of(html: &str) -> Self {
        let start = html.split_once("id=\"data\">").unwrap().1;
        let packed = STANDARD.decode(start.split_once('<').unwrap().0.trim()).unwrap();
        let mut all = Vec::new();
        flate2::read::ZlibDecoder::new(packed.as_slice()).read_to_end(&mut all).unwrap();
        let length = (0..4).map(|n| usize::from(all[n]) << (8 * n)).sum::<usize>();
        Self { head: serde_json::from_slice(&all[4..4 + length]).unwrap(), bytes: all[4 + length..].to_vec() }
    }

    /// Whole numbers of a column of a table, owner by owner; of an owner, one series for each number of a value.
    pub fn series(&self, table: &Value, column: &str) -> Vec<Vec<Vec<Option<i64>>>> {
        let head = column_of(table, column);
        let count = |value: &Value| value.as_u64().unwrap() as usize;
        let (rows, width, mut at) = (count(&table["rows"]), count(&head["width"]), count(&head["at"]));
        let owners = table["owners"].as_array().unwrap().len();
        let mut one = || (0..rows).scan(0, |last, _| Some(self.next(&mut at, last))).collect::<Vec<_>>();
        (0..owners).map(|_| (0..width).map(|_| one()).collect()).collect()
    }

    /// The values of a plain column, owner by owner: numbers at their decimals, not a number where one is missing.
    pub fn numbers(&self, table: &Value, column: &str) -> Vec<Vec<f64>> {
        let decimals = column_of(table, column)["decimals"].as_u64().unwrap();
        let scale = (0..decimals).fold(1.0, |scale, _| scale * 10.0);
        let number = |whole: Option<i64>| whole.map_or(f64::NAN, |whole| whole as f64 / scale);
        self.series(table, column)
            .into_iter()
            .map(|mut owner| owner.remove(0).into_iter().map(number).collect())
            .collect()
    }

    /// The words of a column of texts, owner by owner; empty where one is missing.
    pub fn words(&self, table: &Value, column: &str) -> Vec<Vec<String>> {
        let words = column_of(table, column)["words"].as_array().unwrap();
        let word = |at: Option<i64>| at.map_or(String::new(), |at| words[at as usize].as_str().unwrap().to_owned());
        self.series(table, column)
            .into_iter()
            .map(|mut owner| owner.remove(0).into_iter().map(word).collect())
            .collect()
    }

    fn next(&self, at: &mut usize, last: &mut i64) -> Option<i64> {
        let (mut code, mut shift) = (0_u64, 0);
        loop {
            let byte = self.bytes[*at];
            *at += 1;
            code |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                break;
            }
        }
        // 0 is a gap; of the rest, even codes go up and odd ones down.
        let step = code.checked_sub(1)?;
        *last += if step % 2 == 0 { (step / 2) as i64 } else { -(step.div_ceil(2) as i64) };
        Some(*last)
    }
}

/// The head of a column.
pub fn column_of<'a>(table: &'a Value, column: &str) -> &'a Value {
    let columns = table["columns"].as_array().unwrap();
    columns.iter().find(|head| head["name"] == column).unwrap_or_else(|| panic!("{column} is not in {columns:?}"))
}

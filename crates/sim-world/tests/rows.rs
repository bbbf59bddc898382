//! Rows that come in: what a column takes, what it refuses, and in which words.

use sim_world::{Cadence, Column, ColumnKind, Input, RowFault, Stream, Value, check_row, kind_in_words};

/// A column of each kind.
const KINDS: [ColumnKind; 5] =
    [ColumnKind::Integer, ColumnKind::Number, ColumnKind::Text, ColumnKind::Bytes, ColumnKind::Numbers(2)];

/// A stream with these columns behind an owner from 0 to 3.
fn behind_an_owner(columns: impl IntoIterator<Item = Column>) -> Stream {
    let owner = Column::integer("cube", "the cube").with_range(0.0, 3.0);
    let columns = std::iter::once(owner).chain(columns);
    Stream::new("writes", "a write", Cadence::OnEvent { at_most: None }, columns)
}

/// What is wrong with a value behind the owner 0; empty if nothing is.
fn fault(column: Column, value: Value<'_>) -> String {
    let stream = behind_an_owner([column]);
    check_row(&stream, &[Value::Integer(0), value]).map_or_else(|fault| fault.in_words(&stream), |()| String::new())
}

/// Whole numbers may stand for numbers; besides, each kind takes its own values only.
#[test]
fn a_column_takes_the_values_of_its_kind() {
    let values = [
        Value::Integer(1),
        Value::Number(1.0),
        Value::Text("1"),
        Value::Bytes(&[1]),
        Value::Numbers(&[1.0]),
        Value::Missing,
    ];
    for (of_column, kind) in KINDS.into_iter().enumerate() {
        for (of_value, value) in values.into_iter().enumerate() {
            let is_taken = of_column == of_value
                || value == Value::Missing
                || matches!((kind, value), (ColumnKind::Number, Value::Integer(_)));
            let words = fault(Column::new("x", kind, ""), value);
            let expected = if is_taken { String::new() } else { format!("x must be {}", kind_in_words(kind)) };
            assert_eq!(words, expected, "{kind:?} and {value:?}");
        }
    }
}

/// Names stand for whole numbers where a column has them, and nowhere else.
#[test]
fn a_name_stands_for_a_number() {
    let car = || Column::integer("car", "").with_names(["red", "blue"]);
    for (value, words) in [
        (Value::Text("blue"), ""),
        (Value::Integer(1), ""),
        (Value::Integer(2), "car is 2, must be from 0 to 1"),
        (Value::Text("1"), r#"car is "1", the name of no car"#),
        (Value::Number(1.0), "car must be a whole number"),
    ] {
        assert_eq!(fault(car(), value), words, "{value:?}");
    }
    assert_eq!(fault(Column::integer("car", ""), Value::Text("blue")), "car must be a whole number");
}

#[test]
fn kinds_have_nouns() {
    let nouns = KINDS.map(kind_in_words);
    let expected =
        ["a whole number", "a number", "a text", "bytes as pairs of hexadecimal digits", "a list of numbers"];
    assert_eq!(nouns, expected);
}

#[test]
fn both_ends_of_a_range_belong_to_it() {
    let speed = || Column::number("v_m_s", "").with_range(-0.5, 2.0);
    for inside in [-0.5, -0.0, 2.0] {
        assert_eq!(fault(speed(), Value::Number(inside)), "");
    }
    assert_eq!(fault(speed(), Value::Number(2.0_f64.next_up())), "v_m_s is 2.0000000000000004, must be from -0.5 to 2");
    assert_eq!(
        fault(speed(), Value::Number((-0.5_f64).next_down())),
        "v_m_s is -0.5000000000000001, must be from -0.5 to 2"
    );
    // A whole number in a column of numbers is shown as it came.
    assert_eq!(fault(speed(), Value::Integer(3)), "v_m_s is 3, must be from -0.5 to 2");
    assert_eq!(fault(speed(), Value::Integer(2)), "");
}

#[test]
fn a_column_without_a_range_takes_all_finite_numbers() {
    for number in [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -0.0] {
        assert_eq!(fault(Column::number("x", ""), Value::Number(number)), "", "{number}");
    }
    for integer in [i64::MIN, i64::MAX] {
        assert_eq!(fault(Column::integer("x", ""), Value::Integer(integer)), "", "{integer}");
    }
    for (number, shown) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
        let expected = format!("x is {shown}, must be a finite number");
        assert_eq!(fault(Column::number("x", ""), Value::Number(number)), expected);
        // A number that is not finite is no matter of a range.
        assert_eq!(fault(Column::number("x", "").with_range(-1.0, 1.0), Value::Number(number)), expected);
    }
}

/// A list holds at most as many numbers as its column, all of them finite.
#[test]
fn a_list_may_be_shorter_than_its_column_but_not_longer() {
    let scan = || Column::new("ray_#_m", ColumnKind::Numbers(2), "");
    for numbers in [&[][..], &[1.0], &[1.0, 2.0]] {
        assert_eq!(fault(scan(), Value::Numbers(numbers)), "", "{numbers:?}");
    }
    assert_eq!(fault(scan(), Value::Numbers(&[1.0, 2.0, 3.0])), "ray_#_m must be a list of numbers");
}

/// A row must have an owner: the first column must have a value if it is a whole number.
#[test]
fn only_the_owner_must_be_there() {
    let stream = behind_an_owner(KINDS.map(|kind| Column::new("x", kind, "")));
    let row = [Value::Missing; 6];
    assert_eq!(check_row(&stream, &row), Err(RowFault { column: Some(0), message: "is missing".to_owned() }));
    let mut owned = row;
    owned[0] = Value::Integer(3);
    assert_eq!(check_row(&stream, &owned), Ok(()));

    // A first column of another kind tells of no owner.
    let target = Stream::new("target", "a place", Cadence::AtEnd, [Column::number("x_mm", "")]);
    assert_eq!(check_row(&target, &[Value::Missing]), Ok(()));
}

#[test]
fn the_first_fault_of_a_row_is_told() {
    let limited = |name| Column::number(name, "").with_range(0.0, 1.0);
    let stream = behind_an_owner([limited("a"), limited("b")]);
    let fault = |row: &[Value<'_>]| check_row(&stream, row).err().map(|fault| fault.in_words(&stream));
    let (good, bad) = (Value::Number(0.5), Value::Number(7.5));
    assert_eq!(fault(&[Value::Integer(4), bad, bad]).as_deref(), Some("cube is 4, must be from 0 to 3"));
    assert_eq!(fault(&[Value::Integer(3), bad, bad]).as_deref(), Some("a is 7.5, must be from 0 to 1"));
    assert_eq!(fault(&[Value::Integer(3), good, bad]).as_deref(), Some("b is 7.5, must be from 0 to 1"));
    // The length comes before everything else.
    assert_eq!(fault(&[Value::Integer(4)]).as_deref(), Some("has 1 values, a row of writes has 3"));
    assert_eq!(fault(&[]).as_deref(), Some("has 0 values, a row of writes has 3"));
    assert_eq!(fault(&[good; 4]).as_deref(), Some("has 4 values, a row of writes has 3"));
}

#[test]
fn a_fault_of_a_column_is_made_by_its_name() {
    let stream = behind_an_owner([Column::text("hex", "")]);
    let fault = RowFault::for_column(&stream, "hex", "is too long");
    assert_eq!((fault.column, fault.in_words(&stream)), (Some(1), "hex is too long".to_owned()));
    let of_row = RowFault::for_column(&stream, "no such column", "the row is too long");
    assert_eq!((of_row.column, of_row.in_words(&stream)), (None, "the row is too long".to_owned()));
    // A place beyond the columns names none.
    let beyond = RowFault { column: Some(9), message: "the row is odd".to_owned() };
    assert_eq!(beyond.in_words(&stream), "the row is odd");
}

#[test]
fn rows_of_a_program_keep_their_order_and_their_stream() {
    let rows = [[Value::from(2_usize), "lift".into()], [Value::from(0_usize), Value::Missing]];
    let inputs = Input::rows(4, &rows);
    assert_eq!(inputs, [Input { stream: 4, row: &rows[0] }, Input { stream: 4, row: &rows[1] }]);
    assert!(Input::rows::<2>(4, &[]).is_empty());
}

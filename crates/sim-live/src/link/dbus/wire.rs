//! The wire format of D-Bus, as far as clients of BlueZ use it: little-endian messages of at most 64 KiB, without file descriptors.
//!
//! Source: the D-Bus specification 0.43, sections "Type System" and "Message Protocol".

use std::fmt;

/// Most bytes of a message that comes in. Those of clients have a few hundred; the specification allows 128 MiB.
pub const MAX_MESSAGE_BYTES: usize = 1 << 16;
/// Bytes of a header before its fields.
const FIXED_BYTES: usize = 16;
/// Most levels of containers, as the specification has it.
const MAX_DEPTH: u32 = 64;
/// Most bytes of a signature, as the specification has it.
const MAX_SIGNATURE_BYTES: usize = 255;

/// A value with its type.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `y`
    Byte(u8),
    /// `b`
    Bool(bool),
    /// `n`
    I16(i16),
    /// `q`
    U16(u16),
    /// `i`
    I32(i32),
    /// `u`
    U32(u32),
    /// `x`
    I64(i64),
    /// `t`
    U64(u64),
    /// `d`
    F64(f64),
    /// `s`
    Str(String),
    /// `o`
    Path(String),
    /// `g`
    Signature(String),
    /// `ay`
    Bytes(Vec<u8>),
    /// `a`, with the type of its elements
    Array(String, Vec<Value>),
    /// `a{..}`, with the types of key and value
    Dict(String, Vec<(Value, Value)>),
    /// `(..)`
    Struct(Vec<Value>),
    /// `v`
    Variant(Box<Value>),
}

impl Value {
    /// A text.
    pub fn str(text: impl Into<String>) -> Self {
        Self::Str(text.into())
    }

    /// The same in a variant.
    pub fn variant(self) -> Self {
        Self::Variant(Box::new(self))
    }

    /// An array of texts.
    pub fn strings<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::Array("s".to_owned(), texts.into_iter().map(|text| Self::Str(text.into())).collect())
    }

    /// `a{sv}`
    pub fn properties<'a>(pairs: impl IntoIterator<Item = (&'a str, Self)>) -> Self {
        let pairs = pairs.into_iter().map(|(name, value)| (Self::str(name), value.variant()));
        Self::Dict("sv".to_owned(), pairs.collect())
    }

    /// Its type.
    pub fn signature(&self) -> String {
        match self {
            Self::Byte(_) => "y".to_owned(),
            Self::Bool(_) => "b".to_owned(),
            Self::I16(_) => "n".to_owned(),
            Self::U16(_) => "q".to_owned(),
            Self::I32(_) => "i".to_owned(),
            Self::U32(_) => "u".to_owned(),
            Self::I64(_) => "x".to_owned(),
            Self::U64(_) => "t".to_owned(),
            Self::F64(_) => "d".to_owned(),
            Self::Str(_) => "s".to_owned(),
            Self::Path(_) => "o".to_owned(),
            Self::Signature(_) => "g".to_owned(),
            Self::Bytes(_) => "ay".to_owned(),
            Self::Array(element, _) => format!("a{element}"),
            Self::Dict(pair, _) => format!("a{{{pair}}}"),
            Self::Struct(members) => format!("({})", members.iter().map(Self::signature).collect::<String>()),
            Self::Variant(_) => "v".to_owned(),
        }
    }

    /// The text that it is.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) | Self::Path(text) | Self::Signature(text) => Some(text),
            _ => None,
        }
    }
}

/// What kind of message it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A client calls a method.
    #[default]
    Call,
    /// The result of a call.
    Return,
    /// A call has failed.
    Error,
    /// A signal.
    Signal,
    /// One that the specification does not know, which is to be left alone.
    Other,
}

/// A message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// Its kind.
    pub kind: Kind,
    /// The caller wants no answer.
    pub wants_no_reply: bool,
    /// Number that its sender gave it.
    pub serial: u32,
    /// Number of the call that it answers.
    pub reply_serial: u32,
    /// Object.
    pub path: String,
    /// Interface; empty if it has none.
    pub interface: String,
    /// Method or signal.
    pub member: String,
    /// Name of an error.
    pub error_name: String,
    /// Name of the bus client that it goes to.
    pub destination: String,
    /// Name of the bus client that it comes from.
    pub sender: String,
    /// Arguments.
    pub body: Vec<Value>,
}

/// Bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireError(pub &'static str);

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Bytes of the message that `bytes` begins with, once enough of it is there.
///
/// # Errors
/// If no message begins so, or it is too long.
pub fn message_bytes(bytes: &[u8]) -> Result<Option<usize>, WireError> {
    if bytes.first().is_some_and(|&order| order != b'l') {
        return Err(WireError("a message is not little-endian"));
    }
    if bytes.len() < FIXED_BYTES {
        return Ok(None);
    }
    let mut reader = Reader { bytes, at: 4 };
    let body = reader.u32()? as usize;
    reader.at = 12;
    let fields = reader.u32()? as usize;
    if body > MAX_MESSAGE_BYTES || fields > MAX_MESSAGE_BYTES {
        return Err(WireError("a message is too long"));
    }
    let total = (FIXED_BYTES + fields).next_multiple_of(8) + body;
    if total > MAX_MESSAGE_BYTES {
        return Err(WireError("a message is too long"));
    }
    Ok((bytes.len() >= total).then_some(total))
}

impl Message {
    /// The message that these bytes are.
    ///
    /// # Errors
    /// If they are none.
    pub fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        if message_bytes(bytes)? != Some(bytes.len()) {
            return Err(WireError("a message has another length"));
        }
        let mut reader = Reader { bytes, at: 1 };
        let kind = match reader.u8()? {
            1 => Kind::Call,
            2 => Kind::Return,
            3 => Kind::Error,
            4 => Kind::Signal,
            _ => Kind::Other,
        };
        let wants_no_reply = reader.u8()? & 1 != 0;
        reader.at = 8;
        let mut message = Self { kind, wants_no_reply, serial: reader.u32()?, ..Self::default() };
        let mut signature = String::new();
        let mut types = Types::new("a(yv)");
        let Value::Array(_, fields) = reader.value(&mut types, 0)? else {
            return Err(WireError("a header has no fields"));
        };
        for field in fields {
            message.take_field(field, &mut signature)?;
        }
        reader.align(8)?;
        let mut types = Types::new(&signature);
        while !types.is_empty() {
            message.body.push(reader.value(&mut types, 0)?);
        }
        if reader.at == bytes.len() { Ok(message) } else { Err(WireError("a body is longer than its signature")) }
    }

    fn take_field(&mut self, field: Value, signature: &mut String) -> Result<(), WireError> {
        let Value::Struct(pair) = field else { return Ok(()) };
        let [Value::Byte(code), Value::Variant(value)] = &pair[..] else { return Ok(()) };
        let text = || value.as_str().map(str::to_owned).ok_or(WireError("a header field has the wrong type"));
        match code {
            1 => self.path = text()?,
            2 => self.interface = text()?,
            3 => self.member = text()?,
            4 => self.error_name = text()?,
            5 => match **value {
                Value::U32(serial) => self.reply_serial = serial,
                _ => return Err(WireError("a header field has the wrong type")),
            },
            6 => self.destination = text()?,
            7 => self.sender = text()?,
            8 => *signature = text()?,
            9 => return Err(WireError("a message carries file descriptors")),
            _ => {}
        }
        Ok(())
    }

    /// Appends the message to `out`.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        let mut body = Writer::default();
        self.body.iter().for_each(|value| body.value(value));
        let mut writer = Writer::default();
        let kind = match self.kind {
            Kind::Call => 1,
            Kind::Return => 2,
            Kind::Error => 3,
            Kind::Signal | Kind::Other => 4,
        };
        writer.0.extend([b'l', kind, u8::from(self.wants_no_reply || self.kind != Kind::Call), 1]);
        writer.u32(body.0.len() as u32);
        writer.u32(self.serial);
        let texts = [
            (1, Value::Path(self.path.clone())),
            (2, Value::str(&self.interface)),
            (3, Value::str(&self.member)),
            (4, Value::str(&self.error_name)),
            (6, Value::str(&self.destination)),
            (7, Value::str(&self.sender)),
            (8, Value::Signature(self.body.iter().map(Value::signature).collect())),
        ];
        let texts = texts.into_iter().filter(|(_, value)| value.as_str().is_some_and(|text| !text.is_empty()));
        let serial = (self.reply_serial > 0).then_some((5, Value::U32(self.reply_serial)));
        let fields = texts.chain(serial).map(|(code, value)| Value::Struct(vec![Value::Byte(code), value.variant()]));
        writer.value(&Value::Array("(yv)".to_owned(), fields.collect()));
        writer.align(8);
        out.extend(writer.0);
        out.extend(body.0);
    }
}

/// Complete types of a signature, one after the other.
struct Types<'a> {
    text: &'a [u8],
}

impl<'a> Types<'a> {
    fn new(signature: &'a str) -> Self {
        Self { text: signature.as_bytes() }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn next(&mut self) -> Result<u8, WireError> {
        let (&first, rest) = self.text.split_first().ok_or(WireError("a signature ends too early"))?;
        self.text = rest;
        Ok(first)
    }

    /// The next complete type, without reading a value of it.
    fn skip(&mut self, depth: u32) -> Result<&'a str, WireError> {
        let before = self.text;
        if depth > MAX_DEPTH {
            return Err(WireError("containers are nested too deep"));
        }
        match self.next()? {
            b'a' => _ = self.element(depth)?,
            b'(' => {
                self.skip(depth + 1)?;
                while self.text.first() != Some(&b')') {
                    self.skip(depth + 1)?;
                }
                self.expect(b')')?;
            }
            b'y' | b'b' | b'n' | b'q' | b'i' | b'u' | b'x' | b't' | b'd' | b's' | b'o' | b'g' | b'v' => {}
            _ => return Err(WireError("a signature has an unknown type")),
        }
        let taken = &before[..before.len() - self.text.len()];
        std::str::from_utf8(taken).map_err(|_| WireError("a signature is no text"))
    }

    /// The type of an array's elements: that of key and value, without the braces, of a dictionary.
    fn element(&mut self, depth: u32) -> Result<&'a str, WireError> {
        if self.text.first() != Some(&b'{') {
            return self.skip(depth + 1);
        }
        self.next()?;
        let before = self.text;
        self.skip(depth + 1)?;
        self.skip(depth + 1)?;
        let taken = &before[..before.len() - self.text.len()];
        self.expect(b'}')?;
        std::str::from_utf8(taken).map_err(|_| WireError("a signature is no text"))
    }

    fn expect(&mut self, sign: u8) -> Result<(), WireError> {
        if self.next()? == sign { Ok(()) } else { Err(WireError("a signature has an unclosed bracket")) }
    }
}

/// Largest alignment of the first byte of a type.
fn alignment(first: u8) -> usize {
    match first {
        b'n' | b'q' => 2,
        b'b' | b'i' | b'u' | b's' | b'o' | b'a' => 4,
        b'x' | b't' | b'd' | b'(' | b'{' => 8,
        _ => 1,
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        self.at += N;
        taken.copied().ok_or(WireError("a message ends too early"))
    }

    fn align(&mut self, to: usize) -> Result<(), WireError> {
        self.at = self.at.next_multiple_of(to);
        if self.at <= self.bytes.len() { Ok(()) } else { Err(WireError("a message ends too early")) }
    }

    fn u8(&mut self) -> Result<u8, WireError> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Result<u32, WireError> {
        self.align(4)?;
        self.take().map(u32::from_le_bytes)
    }

    fn slice(&mut self, length: usize) -> Result<&[u8], WireError> {
        let end = self.at.checked_add(length).ok_or(WireError("a message ends too early"))?;
        let slice = self.bytes.get(self.at..end).ok_or(WireError("a message ends too early"))?;
        self.at = end;
        Ok(slice)
    }

    /// A text of that many bytes, and the zero behind it.
    fn text(&mut self, length: usize) -> Result<String, WireError> {
        let text = std::str::from_utf8(self.slice(length)?).map_err(|_| WireError("a text is not UTF-8"))?.to_owned();
        if self.u8()? == 0 { Ok(text) } else { Err(WireError("a text has no end")) }
    }

    fn value(&mut self, types: &mut Types<'_>, depth: u32) -> Result<Value, WireError> {
        if depth > MAX_DEPTH {
            return Err(WireError("containers are nested too deep"));
        }
        let first = types.next()?;
        self.align(alignment(first))?;
        Ok(match first {
            b'y' => Value::Byte(self.u8()?),
            b'b' => Value::Bool(self.u32()? != 0),
            b'n' => Value::I16(self.take().map(i16::from_le_bytes)?),
            b'q' => Value::U16(self.take().map(u16::from_le_bytes)?),
            b'i' => Value::I32(self.take().map(i32::from_le_bytes)?),
            b'u' => Value::U32(self.u32()?),
            b'x' => Value::I64(self.take().map(i64::from_le_bytes)?),
            b't' => Value::U64(self.take().map(u64::from_le_bytes)?),
            b'd' => Value::F64(self.take().map(f64::from_le_bytes)?),
            b's' => {
                let length = self.u32()? as usize;
                Value::Str(self.text(length)?)
            }
            b'o' => {
                let length = self.u32()? as usize;
                Value::Path(self.text(length)?)
            }
            b'g' => Value::Signature(self.signature()?),
            b'v' => {
                let signature = self.signature()?;
                let mut inner = Types::new(&signature);
                let value = self.value(&mut inner, depth + 1)?;
                if !inner.is_empty() {
                    return Err(WireError("a variant holds more than one type"));
                }
                value.variant()
            }
            b'(' => self.members(types, depth)?,
            b'a' => self.array(types, depth)?,
            _ => return Err(WireError("a signature has an unknown type")),
        })
    }

    fn signature(&mut self) -> Result<String, WireError> {
        let length = usize::from(self.u8()?);
        self.text(length)
    }

    fn members(&mut self, types: &mut Types<'_>, depth: u32) -> Result<Value, WireError> {
        let mut members = vec![self.value(types, depth + 1)?];
        while types.text.first() != Some(&b')') {
            members.push(self.value(types, depth + 1)?);
        }
        types.expect(b')')?;
        Ok(Value::Struct(members))
    }

    fn array(&mut self, types: &mut Types<'_>, depth: u32) -> Result<Value, WireError> {
        let length = self.u32()? as usize;
        if types.text.first() == Some(&b'y') {
            types.next()?;
            return Ok(Value::Bytes(self.slice(length)?.to_vec()));
        }
        let is_dict = types.text.first() == Some(&b'{');
        self.align(alignment(types.text.first().copied().unwrap_or_default()))?;
        let end = self.at.checked_add(length).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or(WireError("a message ends too early"))?;
        let element = types.element(depth)?;
        let (mut values, mut pairs) = (Vec::new(), Vec::new());
        while self.at < end {
            let mut types = Types::new(element);
            if is_dict {
                self.align(8)?;
                let key = self.value(&mut types, depth + 1)?;
                pairs.push((key, self.value(&mut types, depth + 1)?));
            } else {
                values.push(self.value(&mut types, depth + 1)?);
            }
        }
        if self.at != end {
            return Err(WireError("an array has another length"));
        }
        let element = element.to_owned();
        Ok(if is_dict { Value::Dict(element, pairs) } else { Value::Array(element, values) })
    }
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    fn u32(&mut self, number: u32) {
        self.align(4);
        self.0.extend(number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.0.extend(text.as_bytes());
        self.0.push(0);
    }

    fn signature(&mut self, text: &str) {
        debug_assert!(text.len() <= MAX_SIGNATURE_BYTES, "{text}");
        self.0.push(text.len() as u8);
        self.0.extend(text.as_bytes());
        self.0.push(0);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Byte(byte) => self.0.push(*byte),
            Value::Bool(is) => self.u32(u32::from(*is)),
            Value::I16(number) => self.number(&number.to_le_bytes()),
            Value::U16(number) => self.number(&number.to_le_bytes()),
            Value::I32(number) => self.number(&number.to_le_bytes()),
            Value::U32(number) => self.u32(*number),
            Value::I64(number) => self.number(&number.to_le_bytes()),
            Value::U64(number) => self.number(&number.to_le_bytes()),
            Value::F64(number) => self.number(&number.to_le_bytes()),
            Value::Str(text) | Value::Path(text) => self.text(text),
            Value::Signature(text) => self.signature(text),
            Value::Bytes(bytes) => {
                self.u32(bytes.len() as u32);
                self.0.extend(bytes);
            }
            Value::Array(element, values) => {
                self.array(alignment(element.as_bytes().first().copied().unwrap_or_default()), |writer| {
                    values.iter().for_each(|value| writer.value(value));
                });
            }
            Value::Dict(_, pairs) => self.array(8, |writer| {
                for (key, value) in pairs {
                    writer.align(8);
                    writer.value(key);
                    writer.value(value);
                }
            }),
            Value::Struct(members) => {
                self.align(8);
                members.iter().for_each(|member| self.value(member));
            }
            Value::Variant(inner) => {
                self.signature(&inner.signature());
                self.value(inner);
            }
        }
    }

    /// A number is aligned to its own size.
    fn number(&mut self, bytes: &[u8]) {
        self.align(bytes.len());
        self.0.extend(bytes);
    }

    fn array(&mut self, align: usize, elements: impl FnOnce(&mut Self)) {
        self.u32(0);
        let length_at = self.0.len() - 4;
        self.align(align);
        let from = self.0.len();
        elements(self);
        let length = (self.0.len() - from) as u32;
        self.0[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
    }
}

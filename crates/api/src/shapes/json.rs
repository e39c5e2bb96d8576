//! Writing JSON (RFC 8259): what serde_json would write, with texts escaped many bytes at a time.

use serde::Serialize;
use serde::ser::{self, Error as _, Serializer};
use serde_json::Error;

/// Writes a value at the end of some bytes.
///
/// # Errors
/// Those of the value, and where a map has a key that is no text.
pub(super) fn write(value: &(impl Serialize + ?Sized), bytes: &mut Vec<u8>) -> Result<(), Error> {
    value.serialize(Json(bytes))
}

/// Writes a text with its quotes. The library makes room for a text whose every byte is escaped, so that a long one is
/// given to it in pieces.
fn write_text(text: &str, bytes: &mut Vec<u8>) {
    const PIECE: usize = 8 << 10;
    if text.len() <= PIECE {
        return json_escape_simd::escape_into(text, bytes);
    }
    let (mut rest, mut escaped) = (text, Vec::new());
    bytes.push(b'"');
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        escaped.clear();
        json_escape_simd::escape_into(piece, &mut escaped);
        bytes.extend_from_slice(&escaped[1..escaped.len() - 1]);
        rest = after;
    }
    bytes.push(b'"');
}

/// Takes one value.
struct Json<'b>(&'b mut Vec<u8>);

/// Takes the items of a list or the members of an object.
struct Parts<'b> {
    bytes: &'b mut Vec<u8>,
    begun: bool,
    close: &'static [u8],
}

impl<'b> Json<'b> {
    fn digits(self, mut number: u64) {
        // A number of 64 bits has up to 20 digits.
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.0.extend_from_slice(&digits[at..]);
    }

    fn list(self) -> Parts<'b> {
        self.0.push(b'[');
        Parts { bytes: self.0, begun: false, close: b"]" }
    }

    fn object(self) -> Parts<'b> {
        self.0.push(b'{');
        Parts { bytes: self.0, begun: false, close: b"}" }
    }

    /// Begins an object whose one member is a variant of an enumeration.
    fn variant(self, name: &str) -> Self {
        self.0.push(b'{');
        write_text(name, self.0);
        self.0.push(b':');
        self
    }
}

impl Parts<'_> {
    fn part(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            self.bytes.push(b',');
        }
    }

    fn item(&mut self, item: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.part();
        write(item, self.bytes)
    }

    /// Writes a member. Its name is a word of the contract, which needs no escapes.
    #[inline]
    fn member(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.part();
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(b"\":");
        write(value, self.bytes)
    }

    fn finish(self) {
        self.bytes.extend_from_slice(self.close);
    }
}

/// Numbers that are written as wider ones.
macro_rules! widened {
    ($($take:ident: $number:ty,)* => $wide:ident) => {
        $(fn $take(self, number: $number) -> Result<(), Error> {
            self.$wide(number.into())
        })*
    };
}

impl<'b> Serializer for Json<'b> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'b>;
    type SerializeTuple = Parts<'b>;
    type SerializeTupleStruct = Parts<'b>;
    type SerializeTupleVariant = Parts<'b>;
    type SerializeMap = Parts<'b>;
    type SerializeStruct = Parts<'b>;
    type SerializeStructVariant = Parts<'b>;

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.0.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    widened!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, => serialize_i64);
    widened!(serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, => serialize_u64);

    fn serialize_i64(self, number: i64) -> Result<(), Error> {
        if number < 0 {
            self.0.push(b'-');
        }
        self.digits(number.unsigned_abs());
        Ok(())
    }

    fn serialize_u64(self, number: u64) -> Result<(), Error> {
        self.digits(number);
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Result<(), Error> {
        // The shortest digits that give the number back are an art of their own.
        serde_json::to_writer(self.0, &number)
    }

    fn serialize_f64(self, number: f64) -> Result<(), Error> {
        serde_json::to_writer(self.0, &number)
    }

    fn serialize_char(self, c: char) -> Result<(), Error> {
        self.serialize_str(c.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<(), Error> {
        write_text(text, self.0);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let Json(bytes) = self.variant(variant);
        write(value, bytes)?;
        bytes.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'b>, Error> {
        Ok(self.list())
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'b>, Error> {
        Ok(self.list())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'b>, Error> {
        Ok(self.list())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'b>, Error> {
        Ok(Parts { close: b"]}", ..self.variant(variant).list() })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'b>, Error> {
        Ok(self.object())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'b>, Error> {
        Ok(self.object())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'b>, Error> {
        Ok(Parts { close: b"}}", ..self.variant(variant).object() })
    }
}

/// Lists, under each of the names that serde has for them.
macro_rules! lists {
    ($($kind:ident $take:ident)*) => {
        $(impl ser::$kind for Parts<'_> {
            type Ok = ();
            type Error = Error;

            fn $take<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
                self.item(item)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })*
    };
}

lists! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

/// Objects whose members are known, under each of the names that serde has for them.
macro_rules! objects {
    ($($kind:ident)*) => {
        $(impl ser::$kind for Parts<'_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
                self.member(name, value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })*
    };
}

objects! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.part();
        let start = self.bytes.len();
        write(key, self.bytes)?;
        if self.bytes[start] == b'"' { Ok(()) } else { Err(Error::custom("a key is no text")) }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.bytes.push(b':');
        write(value, self.bytes)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    enum Each<'a> {
        Nothing,
        One(f32),
        Two(i8, char),
        Named { text: &'a str, none: Option<()> },
    }

    #[derive(Serialize)]
    struct Whole<'a> {
        list: Vec<Each<'a>>,
        numbers: (u64, i64, i16, u8, f64),
        #[serde(flatten)]
        more: BTreeMap<&'a str, Option<bool>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<u32>,
    }

    #[test]
    fn what_is_written_is_what_serde_json_writes() {
        let texts = [
            "",
            "plain",
            "quo\"te, back\\slash",
            "\u{0}\n\t\u{1f}\u{7f}",
            "é—𝒜 of more than thirty-two bytes\r\n",
        ];
        for text in texts {
            let whole = Whole {
                list: vec![
                    Each::Nothing,
                    Each::One(0.35),
                    Each::Two(-7, '"'),
                    Each::Named { text, none: None },
                ],
                numbers: (u64::MAX, i64::MIN, -1, 0, f64::NAN),
                more: [(text, None), ("k", Some(true)), ("l", Some(false))].into(),
                left_out: None,
            };
            let mut bytes = b"before".to_vec();
            write(&whole, &mut bytes).unwrap();
            let expected = serde_json::to_string(&whole).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), format!("before{expected}"));
        }
        assert!(write(&BTreeMap::from([(1, 2)]), &mut Vec::new()).is_err());
    }
}

//! The payload inside a tagged event, taken out while the event is written:
//! writing all of it and reading it again to find the payload takes twice as
//! long.

use serde::Serialize;
use serde::ser::{Error as _, Impossible, SerializeStruct, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Error, Result};

/// The payload of a value that is serialised as `{eventType, payload}`.
pub(crate) fn payload_of(tagged: &impl Serialize) -> Box<RawValue> {
    // Events are plain data with string keys, and every variant has fields:
    // this can only fail for types that a game's first test would show.
    tagged.serialize(PayloadOf).expect("an event is tagged with its payload")
}

/// Serialises a tagged event as its payload alone.
struct PayloadOf;

/// The fields of a tagged event, of which one is kept.
struct Fields(Option<Box<RawValue>>);

impl SerializeStruct for Fields {
    type Ok = Box<RawValue>;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        field: &'static str,
        value: &T,
    ) -> Result<()> {
        if field == "payload" {
            self.0 = Some(to_raw_value(value)?);
        }
        Ok(())
    }

    fn end(self) -> Result<Box<RawValue>> {
        self.0.ok_or_else(untagged)
    }
}

fn untagged() -> Error {
    Error::custom("no event with a payload")
}

/// Serde asks about everything a value may be; a tagged event is none of these.
macro_rules! none_of {
    ($($method:ident($($kind:ty),*) -> $made:ident;)*) => {
        $(fn $method(self, $(_: $kind),*) -> Result<Self::$made> {
            Err(untagged())
        })*
    };
}

impl Serializer for PayloadOf {
    type Ok = Box<RawValue>;
    type Error = Error;
    type SerializeStruct = Fields;
    type SerializeSeq = Impossible<Box<RawValue>, Error>;
    type SerializeTuple = Impossible<Box<RawValue>, Error>;
    type SerializeTupleStruct = Impossible<Box<RawValue>, Error>;
    type SerializeTupleVariant = Impossible<Box<RawValue>, Error>;
    type SerializeMap = Impossible<Box<RawValue>, Error>;
    type SerializeStructVariant = Impossible<Box<RawValue>, Error>;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields> {
        Ok(Fields(None))
    }

    none_of! {
        serialize_bool(bool) -> Ok;
        serialize_i8(i8) -> Ok;
        serialize_i16(i16) -> Ok;
        serialize_i32(i32) -> Ok;
        serialize_i64(i64) -> Ok;
        serialize_u8(u8) -> Ok;
        serialize_u16(u16) -> Ok;
        serialize_u32(u32) -> Ok;
        serialize_u64(u64) -> Ok;
        serialize_f32(f32) -> Ok;
        serialize_f64(f64) -> Ok;
        serialize_char(char) -> Ok;
        serialize_str(&str) -> Ok;
        serialize_bytes(&[u8]) -> Ok;
        serialize_none() -> Ok;
        serialize_unit() -> Ok;
        serialize_unit_struct(&'static str) -> Ok;
        serialize_unit_variant(&'static str, u32, &'static str) -> Ok;
        serialize_seq(Option<usize>) -> SerializeSeq;
        serialize_tuple(usize) -> SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<Box<RawValue>> {
        Err(untagged())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        inner: &T,
    ) -> Result<Box<RawValue>> {
        inner.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Box<RawValue>> {
        Err(untagged())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    #[serde(tag = "eventType", content = "payload")]
    enum Event {
        Played(Played),
        Named { name: String },
    }

    #[derive(Serialize)]
    struct Played {
        card: u8,
        payload: [u8; 2],
    }

    #[test]
    fn the_payload_is_what_stands_under_its_name_and_nothing_else() {
        let played = Event::Played(Played { card: 7, payload: [1, 2] });
        assert_eq!(payload_of(&played).get(), r#"{"card":7,"payload":[1,2]}"#);
        let named = Event::Named { name: "\"Ada\"".to_owned() };
        assert_eq!(payload_of(&named).get(), r#"{"name":"\"Ada\""}"#);
    }

    #[test]
    fn what_is_no_tagged_event_is_told_apart() {
        assert!(7.serialize(PayloadOf).is_err());
        assert!([1, 2].serialize(PayloadOf).is_err());
        assert!("HandPlayed".serialize(PayloadOf).is_err());
        assert!(Some("HandPlayed").serialize(PayloadOf).is_err());
    }
}

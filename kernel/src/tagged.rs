//! The tag and the payload of an event, taken out while it is written: writing
//! all of it and reading it again to find them takes twice as long.

use serde::Serialize;
use serde::ser::{Error as _, Impossible, SerializeStruct, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Error, Result};

/// The payload of a value that is serialised as `{eventType, payload}`.
pub(crate) fn payload_of(tagged: &impl Serialize) -> Box<RawValue> {
    match tagged.serialize(PartOf(Wanted::Payload)) {
        Ok(Field::Payload(payload)) => payload,
        // Events are plain data with string keys, and every variant has
        // fields: only types fail that a game's first test would show.
        _ => panic!("an event is tagged with its payload"),
    }
}

/// The name of an event, as its `eventType` has it.
pub fn event_type(tagged: &impl Serialize) -> &'static str {
    match tagged.serialize(PartOf(Wanted::Tag)) {
        Ok(Field::Tag(tag)) => tag,
        // As above.
        _ => panic!("an event is tagged with its type"),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Tag,
    Payload,
}

/// A part of a tagged event.
enum Field {
    Tag(&'static str),
    Payload(Box<RawValue>),
}

/// Serialises a tagged event as one of its parts alone.
struct PartOf(Wanted);

/// The fields of a tagged event, of which one is kept.
struct Fields {
    wanted: Wanted,
    kept: Option<Field>,
}

impl SerializeStruct for Fields {
    type Ok = Field;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        field: &'static str,
        value: &T,
    ) -> Result<()> {
        match (self.wanted, field) {
            (Wanted::Payload, "payload") => self.kept = Some(Field::Payload(to_raw_value(value)?)),
            (Wanted::Tag, "eventType") => self.kept = Some(value.serialize(PartOf(Wanted::Tag))?),
            _ => {}
        }
        Ok(())
    }

    fn end(self) -> Result<Field> {
        self.kept.ok_or_else(untagged)
    }
}

fn untagged() -> Error {
    Error::custom("no event with a type and a payload")
}

/// Serde asks about everything a value may be; a tagged event is none of these.
macro_rules! none_of {
    ($($method:ident($($kind:ty),*) -> $made:ident;)*) => {
        $(fn $method(self, $(_: $kind),*) -> Result<Self::$made> {
            Err(untagged())
        })*
    };
}

impl Serializer for PartOf {
    type Ok = Field;
    type Error = Error;
    type SerializeStruct = Fields;
    type SerializeSeq = Impossible<Field, Error>;
    type SerializeTuple = Impossible<Field, Error>;
    type SerializeTupleStruct = Impossible<Field, Error>;
    type SerializeTupleVariant = Impossible<Field, Error>;
    type SerializeMap = Impossible<Field, Error>;
    type SerializeStructVariant = Impossible<Field, Error>;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields> {
        Ok(Fields { wanted: self.0, kept: None })
    }

    /// A tag is the name of a variant.
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Field> {
        match self.0 {
            Wanted::Tag => Ok(Field::Tag(variant)),
            Wanted::Payload => Err(untagged()),
        }
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
        serialize_seq(Option<usize>) -> SerializeSeq;
        serialize_tuple(usize) -> SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<Field> {
        Err(untagged())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        inner: &T,
    ) -> Result<Field> {
        inner.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Field> {
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
        assert_eq!((event_type(&played), event_type(&named)), ("Played", "Named"));
    }

    #[test]
    fn what_is_no_tagged_event_is_told_apart() {
        assert!(7.serialize(PartOf(Wanted::Payload)).is_err());
        assert!([1, 2].serialize(PartOf(Wanted::Payload)).is_err());
        assert!("HandPlayed".serialize(PartOf(Wanted::Payload)).is_err());
        assert!(Some("HandPlayed").serialize(PartOf(Wanted::Payload)).is_err());
    }
}

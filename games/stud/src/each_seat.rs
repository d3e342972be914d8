//! One thing for each seat that gets one.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::seats::SEATS;

/// One thing for each seat that gets one, in seat order: a list of seven at
/// most that is copied, because every event is handed to every viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EachSeat<T: Copy>([Option<T>; SEATS]);

impl<T: Copy> EachSeat<T> {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }

    /// One by one.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map_while(Option::as_ref)
    }

    /// One by one, to be changed.
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().map_while(Option::as_mut)
    }
}

impl<T: Copy> Default for EachSeat<T> {
    fn default() -> Self {
        EachSeat([None; SEATS])
    }
}

/// More than seven have no seat to go to.
impl<T: Copy> FromIterator<T> for EachSeat<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut each = EachSeat::default();
        for (place, item) in each.0.iter_mut().zip(items) {
            *place = Some(item);
        }
        each
    }
}

impl<T: Copy + Serialize> Serialize for EachSeat<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Copy + Deserialize<'de>> Deserialize<'de> for EachSeat<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<T>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl<T: Copy + JsonSchema> JsonSchema for EachSeat<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("EachSeatOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let item = generator.subschema_for::<T>();
        schemars::json_schema!({ "type": "array", "items": item, "maxItems": SEATS })
    }
}

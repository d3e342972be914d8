//! Writing values straight to where they stay.

/// A list that takes a value where it is made.
///
/// `push` takes a value that was built elsewhere, field by field, and copies it
/// whole. So soon after, the processor has to wait until the fields are written
/// (store forwarding fails): that was a fifth of a random game.
pub trait Put<T> {
    /// Puts at the end what `make` makes, there and then.
    fn put(&mut self, make: impl FnOnce() -> T);
}

impl<T> Put<T> for Vec<T> {
    #[inline]
    fn put(&mut self, make: impl FnOnce() -> T) {
        // Room is made before the value, so that nothing stands between the two.
        self.extend(std::iter::once_with(make));
    }
}

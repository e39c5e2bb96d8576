//! JSON of shapes of the contract, and of stored fragments.

use bytes::Bytes;

use crate::Failure;

/// Renders a shape of the contract.
///
/// # Errors
/// None for shapes of the contract.
pub(crate) fn json(shape: &impl serde::Serialize) -> Result<Bytes, Failure> {
    serde_json::to_vec(shape).map(Bytes::from).map_err(|error| Failure::internal(&error))
}

/// Parses a stored fragment.
///
/// # Errors
/// [`Failure::unreadable`]: its members are not those of this version.
pub(crate) fn parsed<'a, T: serde::Deserialize<'a>>(fragment: &'a [u8]) -> Result<T, Failure> {
    serde_json::from_slice(fragment)
        .map_err(|error| Failure::unreadable(format_args!("a stored fragment cannot be read: {error}")))
}

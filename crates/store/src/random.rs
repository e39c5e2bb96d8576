//! Random bits from the operating system.

/// 256 bits for a secret.
#[allow(clippy::disallowed_methods, reason = "random bits of the store")]
pub(crate) fn secret() -> [u8; 32] {
    let mut bits = [0; 32];
    getrandom::fill(&mut bits).expect("the operating system gives random bits");
    bits
}

/// 64 bits in hexadecimal, for a unique name.
pub(crate) fn name() -> String {
    data_encoding::HEXLOWER.encode(&secret()[..8])
}

/// Random 63-bit epoch of a change.
pub(crate) fn epoch() -> i64 {
    let bits = secret();
    i64::from_le_bytes(std::array::from_fn(|index| bits[index])) & i64::MAX
}

/// A random number between 0 and 1, for jitter.
pub(crate) fn fraction() -> f64 {
    let bits = secret();
    f64::from(u32::from_le_bytes([bits[0], bits[1], bits[2], bits[3]])) / f64::from(u32::MAX)
}

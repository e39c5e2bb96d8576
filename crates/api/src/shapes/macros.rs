//! Macro for the vocabularies, and how their values are read from words.
//!
//! A later service may answer with words that a client does not know, so each vocabulary can be read from any
//! word. In a request all words must be known.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::Visitor;

/// Error of parsing a value of a vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is not one of: {}", allowed.join(", "))]
pub struct UnknownValue {
    /// The text that was found.
    pub value: String,
    /// The words that are allowed.
    pub allowed: Vec<&'static str>,
}

/// Reads a value from its word.
pub(super) struct WordVisitor<V>(pub(super) PhantomData<V>);

impl<V: FromStr + From<UnknownWord>> Visitor<'_> for WordVisitor<V> {
    type Value = V;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E>(self, word: &str) -> Result<V, E> {
        Ok(word.parse().unwrap_or_else(|_| V::from(UnknownWord)))
    }
}

/// A word that is not in a vocabulary of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a word that this version does not know")]
pub struct UnknownWord;

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:tt,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ToSchema)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
            /// Another value: one that a later service has added, which this version does not know. No answer
            /// of this version has it.
            #[serde(skip)]
            Unrecognized,
        }

        impl $name {
            /// Every value, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Unrecognized => "unrecognized",
                }
            }
        }

        impl From<UnknownWord> for $name {
            fn from(_: UnknownWord) -> Self {
                Self::Unrecognized
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(WordVisitor(PhantomData))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownValue;

            fn from_str(word: &str) -> Result<Self, UnknownValue> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word).ok_or_else(|| UnknownValue {
                    value: word.to_owned(),
                    allowed: Self::ALL.iter().map(|value| value.as_str()).collect(),
                })
            }
        }
    };
    ($(#[$doc:meta])* $name:ident = $model:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:tt,)+ }) => {
        vocabulary! { $(#[$doc])* $name { $($(#[$variant_doc])* $variant = $word,)+ } }

        impl From<norma_model::$model> for $name {
            fn from(value: norma_model::$model) -> Self {
                match value {
                    $(norma_model::$model::$variant => Self::$variant,)+
                }
            }
        }

        impl TryFrom<$name> for norma_model::$model {
            type Error = UnknownWord;

            fn try_from(value: $name) -> Result<Self, UnknownWord> {
                match value {
                    $($name::$variant => Ok(Self::$variant),)+
                    $name::Unrecognized => Err(UnknownWord),
                }
            }
        }
    };
}

pub(super) use vocabulary;

//! Form fields and query parameters, by name.

use axum::http::{HeaderMap, header::CONTENT_TYPE};

use crate::refusal::TokenRefusal;

/// The members of a form or a query in the order they came.
#[derive(Default)]
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    pub(crate) fn parse(text: &[u8]) -> Params {
        Params(url::form_urlencoded::parse(text).into_owned().collect())
    }

    /// Parses the body of a POST whose media type is that of a form, with at least one field.
    pub(crate) fn from_form(headers: &HeaderMap, body: &[u8]) -> Result<Params, TokenRefusal> {
        let content_type =
            headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = content_type.split(';').next().unwrap_or_default().trim();
        let form = Params::parse(body);
        if !media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded") || form.0.is_empty() {
            return Err(TokenRefusal::Body);
        }
        Ok(form)
    }

    /// The first value of that name; an empty one counts as absent.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str()).filter(|v| !v.is_empty())
    }

    pub(crate) fn required(&self, name: &'static str) -> Result<&str, TokenRefusal> {
        self.get(name).ok_or(TokenRefusal::Missing(name))
    }

    /// Refuses a name that occurs twice; names outside the list are telemetry and may be repeated.
    pub(crate) fn each_once(&self, names: &[&'static str]) -> Result<(), TokenRefusal> {
        match names.iter().find(|&&name| self.0.iter().filter(|(key, _)| key == name).count() > 1) {
            None => Ok(()),
            Some(name) => Err(TokenRefusal::Duplicate(name)),
        }
    }
}

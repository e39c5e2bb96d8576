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
        let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let media_type = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
        if !media_type.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(TokenRefusal::Body);
        }
        let form = Params::parse(body);
        if form.0.is_empty() {
            return Err(TokenRefusal::Body);
        }
        Ok(form)
    }

    /// The first value of that name; an empty one counts as absent.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        for (key, value) in &self.0 {
            if key == name {
                return if value.is_empty() { None } else { Some(value) };
            }
        }
        None
    }

    pub(crate) fn required(&self, name: &'static str) -> Result<&str, TokenRefusal> {
        self.get(name).ok_or(TokenRefusal::Missing(name))
    }

    /// Refuses a name that occurs twice; names outside the list are telemetry and may be repeated.
    pub(crate) fn each_once(&self, names: &[&'static str]) -> Result<(), TokenRefusal> {
        for name in names {
            let values = self.0.iter().filter(|(key, _)| key == name).count();
            if values > 1 {
                return Err(TokenRefusal::Duplicate(name));
            }
        }
        Ok(())
    }
}

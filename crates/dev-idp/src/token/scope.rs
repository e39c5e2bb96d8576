//! Scope parameter: one resource, followed by `/.default`.

use crate::{Guid, params::Params, refusal::TokenRefusal};

/// The resource that the scope names: an application ID URI or a client id. A slash at its end is kept,
/// because tokens of version 1.0 repeat it.
pub(super) fn resource(form: &Params) -> Result<&str, TokenRefusal> {
    if form.get("resource").is_some() {
        return Err(TokenRefusal::ResourceParameter);
    }
    let scope = form.required("scope")?;
    let mut found = None;
    for item in scope.split_whitespace() {
        let Some(resource) = item.strip_suffix("/.default") else {
            return Err(TokenRefusal::ScopeSuffix(item.to_owned()));
        };
        if url::Url::parse(resource).is_err() && resource.parse::<Guid>().is_err() {
            return Err(TokenRefusal::ScopeForm(item.to_owned()));
        }
        if found.replace(resource).is_some_and(|other| other != resource) {
            return Err(TokenRefusal::ScopeResources);
        }
    }
    found.ok_or(TokenRefusal::Missing("scope"))
}

#[cfg(test)]
mod tests {
    use super::resource;
    use crate::params::Params;

    fn read(scope: &str) -> Result<String, u32> {
        let form = Params::parse(format!("scope={scope}").as_bytes());
        resource(&form).map(str::to_owned).map_err(|refusal| refusal.code().0)
    }

    #[test]
    fn a_scope_names_exactly_one_resource_and_the_default_suffix() {
        let guid = "0a11ce00-5e51-4ce0-8000-c11e47000001";
        assert_eq!(read("api://norma/.default"), Ok("api://norma".into()));
        assert_eq!(read("api://norma//.default"), Ok("api://norma/".into()));
        assert_eq!(read(&format!("{guid}/.default")), Ok(guid.into()));
        assert_eq!(read("api://a/.default+api://a/.default"), Ok("api://a".into()));
        assert_eq!(read("api://a/.default+api://b/.default"), Err(700022));
        assert_eq!(read("api://norma"), Err(1002012));
        assert_eq!(read("api://norma/Content.Read"), Err(1002012));
        assert_eq!(read("norma/.default"), Err(70011));
        assert_eq!(read(".default"), Err(1002012));
        assert_eq!(read(""), Err(900144));
        assert_eq!(read("+"), Err(900144));
    }
}

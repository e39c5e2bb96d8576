//! Access tokens: the application that is requested, and the claims in the two versions of the real provider.

use serde_json::{Value, json};

use super::{AuthenticatedClient, AuthenticationMethod};
use crate::{
    Guid, RoleGrant, directory::principal_id, encoding::opaque, keys::TokenVersion,
    provider_state::ProviderState, refusal::TokenRefusal,
};

/// The requested resource in the client's tenant.
struct RequestedResource<'a> {
    version: TokenVersion,
    client_id: Guid,
    roles: &'a [String],
}

/// Issues a token for the resource `resource_name` to an authenticated client.
pub(super) fn access_token(
    state: &ProviderState,
    url: &str,
    client: AuthenticatedClient,
    resource_name: &str,
) -> Result<String, TokenRefusal> {
    let role = [state.service.role.clone()];
    let resource = find(state, client, resource_name, &role)?;
    Ok(state.keys.token(resource.version, &claims(state, url, client, resource_name, &resource)))
}

fn find<'a>(
    state: &ProviderState,
    client: AuthenticatedClient,
    resource_name: &str,
    role: &'a [String],
) -> Result<RequestedResource<'a>, TokenRefusal> {
    let unknown =
        || TokenRefusal::ResourceUnknown { resource: resource_name.to_owned(), tenant: client.tenant };
    let tenant = state.directory.tenant(client.tenant).map_err(|_| unknown())?;
    let service = &state.service;
    if tenant.consented && matches_resource(resource_name, &service.application_id_uri, service.client_id) {
        let granted = tenant.apps.get(&client.id).is_some_and(|app| app.role == RoleGrant::Granted);
        if !granted && service.assignment_required {
            return Err(TokenRefusal::NotAssigned { client: client.id, resource: service.client_id });
        }
        let roles = if granted { role } else { &[] };
        return Ok(RequestedResource { version: TokenVersion::V2, client_id: service.client_id, roles });
    }
    // Any app of the tenant can be requested too: a well-formed token for the wrong audience. The real
    // provider gives a token of version 1.0 for an app whose registration asks for no version.
    for (id, app) in &tenant.apps {
        if matches_resource(resource_name, &app.application_id_uri, *id) {
            return Ok(RequestedResource { version: TokenVersion::V1, client_id: *id, roles: &[] });
        }
    }
    Err(unknown())
}

fn matches_resource(resource_name: &str, uri: &str, client_id: Guid) -> bool {
    resource_name.trim_end_matches('/') == uri.trim_end_matches('/')
        || resource_name.parse().ok() == Some(client_id)
}

fn claims(
    state: &ProviderState,
    url: &str,
    client: AuthenticatedClient,
    resource_name: &str,
    resource: &RequestedResource<'_>,
) -> Value {
    let AuthenticatedClient { tenant, id, proof } = client;
    let now = state.now().as_second();
    let principal = principal_id(tenant, id);
    let proof = match proof {
        AuthenticationMethod::Secret => "1",
        AuthenticationMethod::Certificate => "2",
    };
    let mut claims = json!({
        "iat": now,
        "nbf": now,
        "exp": now + i64::from(state.token_lifetime_seconds),
        "tid": tenant,
        "oid": principal,
        "sub": principal,
        // Opaque to everyone but the provider.
        "aio": format!("k2Rg{}", opaque(24)),
        "rh": format!("1.A{}.", opaque(33)),
        "uti": opaque(16),
        "xms_ftd": opaque(48),
    });
    let shape = match resource.version {
        TokenVersion::V1 => json!({
            "ver": "1.0",
            "iss": format!("https://sts.windows.net/{tenant}/"),
            "aud": resource_name,
            "appid": id,
            "appidacr": proof,
        }),
        TokenVersion::V2 => json!({
            "ver": "2.0",
            "iss": format!("{url}/{tenant}/v2.0"),
            "aud": resource.client_id,
            "azp": id,
            "azpacr": proof,
        }),
    };
    if !resource.roles.is_empty() {
        claims["roles"] = json!(resource.roles);
    }
    if let (Value::Object(claims), Value::Object(shape)) = (&mut claims, shape) {
        claims.extend(shape);
    }
    claims
}

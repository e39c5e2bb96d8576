//! Settings of the provider: from TOML, or as plain values in a test.

use std::{fmt, net::SocketAddr, path::PathBuf};

use jiff::Timestamp;
use serde::Deserialize;

use crate::{DevIdpError, Guid};

/// Settings of the provider. Each member has a default; [`DevIdpSettings::EXAMPLE`] shows all of them as a
/// commented TOML file. Unknown keys are errors.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct DevIdpSettings {
    /// Loopback address and port; port 0 takes a free one. Default `127.0.0.1:8400`.
    pub listen: SocketAddr,
    /// Serve HTTPS with a self-signed certificate made at each start. Default `false`.
    pub tls: bool,
    /// File for that certificate (PEM), for clients to trust. Default: a temporary file.
    pub certificate_file: Option<PathBuf>,
    /// File in which keys and registrations are stored over a restart (JSON, mode 0600). Default: none.
    pub state_file: Option<PathBuf>,
    /// Seconds until a token expires. Default 3600.
    pub token_lifetime_seconds: u32,
    /// Refuse a client assertion whose `jti` was seen before. Default `true`. msal sends one assertion for
    /// every request of some nine minutes: switch off where a program asks for several tokens in that time.
    pub refuse_replayed_assertions: bool,
    /// Seconds that open connections get to finish at shutdown. Default 5.
    pub shutdown_seconds: u32,
    /// The service API application for which tokens are issued.
    pub service: ServiceApi,
    /// Tenants. The service's own tenant always exists.
    pub tenants: Vec<TenantSettings>,
    /// Registrations of the applications that call the service.
    pub clients: Vec<ClientSettings>,
}

impl Default for DevIdpSettings {
    fn default() -> DevIdpSettings {
        DevIdpSettings {
            listen: SocketAddr::from(([127, 0, 0, 1], 8400)),
            tls: false,
            certificate_file: None,
            state_file: None,
            token_lifetime_seconds: 3600,
            refuse_replayed_assertions: true,
            shutdown_seconds: 5,
            service: ServiceApi::default(),
            tenants: Vec::new(),
            clients: Vec::new(),
        }
    }
}

impl DevIdpSettings {
    /// A commented TOML file that shows every setting; it is itself a usable configuration.
    pub const EXAMPLE: &str = include_str!("example.toml");

    /// The defaults on a free port of 127.0.0.1, for tests.
    pub fn ephemeral() -> DevIdpSettings {
        DevIdpSettings { listen: SocketAddr::from(([127, 0, 0, 1], 0)), ..DevIdpSettings::default() }
    }

    /// Reads a TOML configuration.
    ///
    /// # Errors
    /// [`DevIdpError::Settings`] with line and column for bad TOML, an unknown key, or a value of the wrong
    /// type.
    pub fn from_toml(text: &str) -> Result<DevIdpSettings, DevIdpError> {
        toml::from_str(text).map_err(|error| DevIdpError::Settings(error.to_string()))
    }
}

/// The service API application: registered in the operator's tenant, present in others after consent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ServiceApi {
    /// The operator's tenant, in which the application is registered.
    pub tenant_id: Guid,
    /// The application's client id; the audience of tokens for it.
    pub client_id: Guid,
    /// Display name on the consent page.
    pub name: String,
    /// Application ID URI; callers ask for it followed by `/.default`. Default `api://norma`.
    pub application_id_uri: String,
    /// Value of the application role. Default `Content.Read`.
    pub role: String,
    /// True if a client without the role gets an error instead of a token without `roles`. Default `false`.
    pub assignment_required: bool,
    /// Redirect URIs that the consent page may answer to. Default empty: any http or https address.
    pub redirect_uris: Vec<String>,
}

impl Default for ServiceApi {
    fn default() -> ServiceApi {
        ServiceApi {
            tenant_id: Guid::fixed(0x0a11_ce00_5e51_4ce0_8000_7e4a_4700_0001),
            client_id: Guid::fixed(0x0a11_ce00_5e51_4ce0_8000_c11e_4700_0001),
            name: "Norma content API (development)".into(),
            application_id_uri: "api://norma".into(),
            role: "Content.Read".into(),
            assignment_required: false,
            redirect_uris: Vec::new(),
        }
    }
}

/// A tenant that exists from the start.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TenantSettings {
    /// Id of the tenant, a GUID.
    pub id: Guid,
    /// Display name on the consent page.
    pub name: String,
    /// Domain names that may be used for the id in a URL.
    #[serde(default)]
    pub domains: Vec<String>,
    /// True if an administrator has already consented to the service API.
    #[serde(default)]
    pub consented: bool,
}

/// A client app registration that exists from the start.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClientSettings {
    /// The tenant it is registered in.
    pub tenant_id: Guid,
    /// The client id of the application.
    pub client_id: Guid,
    /// Display name on the consent page.
    pub name: String,
    /// Application ID URI of the client's own API. Default `api://{client-id}`.
    #[serde(default)]
    pub application_id_uri: Option<String>,
    /// Secrets of the application.
    #[serde(default)]
    pub secrets: Vec<SecretSettings>,
    /// Certificates of the client: PEM text, or the path of a PEM file.
    #[serde(default)]
    pub certificates: Vec<String>,
    /// True if the application is switched off.
    #[serde(default)]
    pub disabled: bool,
    /// State of the role of the service API for this application. Default `absent`.
    #[serde(default)]
    pub role: RoleGrant,
}

/// A secret with which a client authenticates.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SecretSettings {
    /// The text of the secret.
    pub value: Secret,
    /// Time from which it is refused (RFC 3339). Default: never.
    #[serde(default)]
    pub expires: Option<Timestamp>,
}

/// A text that `Debug` does not show.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The text, to send or hash it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Secret {
        Secret(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Secret {
        Secret(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// State of the role of the service API for a client app: added, then granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoleGrant {
    /// The role was not added.
    #[default]
    Absent,
    /// The role was added; no administrator has granted it.
    Added,
    /// An administrator has granted it: tokens contain the role.
    Granted,
}

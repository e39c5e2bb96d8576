//! Access tokens: requested from the caller's tenant, cached until shortly before they expire.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde::Deserialize;

use crate::credential::Credential;
use crate::error::ClientError;

/// Longest time before its expiry at which a token is renewed.
const MARGIN: Duration = Duration::from_secs(300);
/// The margin is at most this fraction of the token's lifetime: a tenth.
const MARGIN_PART: u32 = 10;

/// An access token; never shown.
pub(crate) struct AccessToken {
    text: String,
    renew: Instant,
    expires: Instant,
}

impl AccessToken {
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

/// Token source: endpoint, credential and the current token.
pub(crate) struct Tokens {
    pub(crate) http: reqwest::Client,
    pub(crate) url: String,
    pub(crate) client_id: String,
    pub(crate) scope: String,
    pub(crate) credential: Credential,
    pub(crate) current: Mutex<Option<Arc<AccessToken>>>,
    /// Held while a token is requested, so that callers who wait share one request.
    pub(crate) requesting: tokio::sync::Mutex<()>,
}

/// Successful response of the token endpoint (RFC 6749, 5.1).
#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    expires_in: u64,
}

/// Error response of the token endpoint (RFC 6749, 5.2).
#[derive(Deserialize)]
struct Refused {
    error: String,
    #[serde(default)]
    error_description: String,
}

impl Tokens {
    /// A token that is valid at `now`.
    ///
    /// A token that will soon expire is renewed by one caller while the others go on using it; when the
    /// renewal fails, it is used until it expires.
    pub(crate) async fn token(&self, now: Instant) -> Result<Arc<AccessToken>, ClientError> {
        if let Some(token) = self.valid(now) {
            if now < token.renew {
                return Ok(token);
            }
            let Ok(_requesting) = self.requesting.try_lock() else { return Ok(token) };
            return Ok(self.request(now).await.unwrap_or(token));
        }
        let _requesting = self.requesting.lock().await;
        // Another caller may have requested it meanwhile.
        if let Some(token) = self.valid(now) {
            return Ok(token);
        }
        self.request(now).await
    }

    /// Drops a token that the service rejected, unless it was replaced already.
    pub(crate) fn forget(&self, token: &Arc<AccessToken>) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.as_ref().is_some_and(|cached| Arc::ptr_eq(cached, token)) {
            *current = None;
        }
    }

    /// The current token, if it has not expired.
    fn valid(&self, now: Instant) -> Option<Arc<AccessToken>> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        if now < current.expires { Some(current) } else { None }
    }

    async fn request(&self, now: Instant) -> Result<Arc<AccessToken>, ClientError> {
        let clock = crate::clock::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut form = self.credential.fields(&self.client_id, &self.url, clock).await?;
        form.push(("client_id", self.client_id.clone()));
        form.push(("grant_type", "client_credentials".to_owned()));
        form.push(("scope", self.scope.clone()));
        let unreachable = |error| ClientError::unreachable(&self.url, error);
        let answer = self.http.post(&self.url).form(&form).send().await.map_err(unreachable)?;
        let status = answer.status();
        let body = answer.bytes().await.map_err(unreachable)?;
        if !status.is_success() {
            return Err(refused(status.as_u16(), &body));
        }
        let Ok(issued) = serde_json::from_slice::<TokenResponse>(&body) else {
            return Err(ClientError::Unexpected {
                url: self.url.clone(),
                status: status.as_u16(),
                reason: "expected `access_token` and `expires_in` of a token endpoint".to_owned(),
            });
        };
        let life = Duration::from_secs(issued.expires_in);
        let expires = now + life;
        let renew = expires - MARGIN.min(life / MARGIN_PART);
        let token = Arc::new(AccessToken { text: issued.access_token, renew, expires });
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(token.clone());
        Ok(token)
    }
}

/// The error of a response that is not a success, with the most likely cause.
fn refused(status: u16, body: &[u8]) -> ClientError {
    let Refused { error, error_description } = match serde_json::from_slice(body) {
        Ok(refused) => refused,
        Err(_) => Refused {
            error: "no OAuth error".to_owned(),
            error_description: String::from_utf8_lossy(body).chars().take(200).collect(),
        },
    };
    let hint = match error.as_str() {
        "invalid_client" => Some(
            "check the client secret or certificate, also whether it has expired, and that the client id is that of the caller's own app registration, not the service's",
        ),
        "unauthorized_client" => Some(
            "check that the client id is the caller's own app registration (not the service's) and that the tenant is the caller's own",
        ),
        "invalid_scope" => Some("expected the service's application ID URI followed by `/.default` as scope"),
        "invalid_resource" => Some(
            "the service is not known in this tenant: an administrator must consent to it, or the scope names another application",
        ),
        "invalid_grant" => {
            Some("an administrator of the tenant must grant the application role to the client")
        }
        _ => None,
    };
    let description = error_description.lines().next().unwrap_or_default().to_owned();
    ClientError::TokenRefused { status, error, description, hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiremock::matchers::{body_string_contains, method, path};
    use wiremock::{Mock, MockServer, ResponseTemplate};

    #[allow(clippy::disallowed_methods, reason = "this is test code")]
    fn tokens(server: &MockServer) -> Tokens {
        Tokens {
            http: reqwest::Client::new(),
            url: format!("{}/tenant/oauth2/v2.0/token", server.uri()),
            client_id: "client".to_owned(),
            scope: "api://norma/.default".to_owned(),
            credential: Credential::secret("hunter2"),
            current: Mutex::new(None),
            requesting: tokio::sync::Mutex::new(()),
        }
    }

    fn issued(token: &str) -> ResponseTemplate {
        let body = serde_json::json!({ "token_type": "Bearer", "expires_in": 3600, "access_token": token });
        ResponseTemplate::new(200).set_body_json(body)
    }

    async fn once(server: &MockServer, answer: ResponseTemplate) {
        Mock::given(method("POST"))
            .and(path("/tenant/oauth2/v2.0/token"))
            .and(body_string_contains("grant_type=client_credentials"))
            .and(body_string_contains("scope=api%3A%2F%2Fnorma%2F.default"))
            .respond_with(answer)
            .up_to_n_times(1)
            .expect(1)
            .mount(server)
            .await;
    }

    #[tokio::test]
    async fn a_token_is_renewed_shortly_before_it_expires_and_used_to_its_end_when_that_fails() {
        let server = MockServer::start().await;
        let tokens = tokens(&server);
        let start = Instant::now();
        let at = |seconds| tokens.token(start + Duration::from_secs(seconds));
        once(&server, issued("first")).await;
        assert_eq!(at(0).await.unwrap().as_str(), "first");
        assert_eq!(at(3299).await.unwrap().as_str(), "first");
        once(&server, ResponseTemplate::new(503)).await;
        assert_eq!(at(3300).await.unwrap().as_str(), "first");
        once(&server, issued("second")).await;
        assert_eq!(at(3301).await.unwrap().as_str(), "second");
        once(&server, ResponseTemplate::new(503)).await;
        assert!(at(3301 + 3600).await.is_err());
    }

    #[tokio::test]
    async fn callers_who_wait_share_one_request() {
        let server = MockServer::start().await;
        once(&server, issued("only")).await;
        let tokens = tokens(&server);
        let now = Instant::now();
        let all = futures::future::join_all((0..20).map(|_| tokens.token(now))).await;
        assert!(all.into_iter().all(|token| token.unwrap().as_str() == "only"));
    }

    #[tokio::test]
    async fn a_refusal_names_the_likeliest_mistake_and_no_secret() {
        let server = MockServer::start().await;
        let body = serde_json::json!({ "error": "invalid_client", "error_description": "No such secret.\r\nTrace 1" });
        once(&server, ResponseTemplate::new(401).set_body_json(body)).await;
        let error = tokens(&server).token(Instant::now()).await.err().unwrap();
        let said = format!("{error} {error:?}");
        assert!(said.contains("No such secret.") && said.contains("check the client secret"), "{said}");
        assert!(!said.contains("hunter2") && !said.contains("Trace"), "{said}");
    }
}

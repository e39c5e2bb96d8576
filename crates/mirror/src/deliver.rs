//! Deliveries of a watch: to a command, or to an address by Standard Webhooks
//! (<https://www.standardwebhooks.com>).

use std::process::Stdio;
use std::time::Duration;

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use data_encoding::BASE64;
use jiff::Timestamp;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use url::{Host, Url};

use crate::MirrorError;

/// How long an answer to a post may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The beginning of a secret in base64.
const SECRET_BEGINS: &str = "whsec_";

/// Where a watch hands changes on.
pub enum Delivery {
    /// A command of the shell, which gets them on its standard input.
    Command(String),
    /// An address.
    Webhook(Box<Webhook>),
}

/// An address that changes are posted to.
pub struct Webhook {
    url: Url,
    secret: Option<WebhookSecret>,
    http: reqwest::Client,
}

/// A secret that posts are signed with.
pub struct WebhookSecret(Key);

impl WebhookSecret {
    /// Reads a secret: `whsec_` and 24 to 64 bytes in base64.
    ///
    /// # Errors
    /// It has another form. The text is not in the message.
    pub fn parse(text: &str) -> Result<Self, MirrorError> {
        let encoded = text.trim().strip_prefix(SECRET_BEGINS).ok_or(MirrorError::Secret)?;
        let bytes = BASE64.decode(encoded.as_bytes()).map_err(|_| MirrorError::Secret)?;
        if !(24..=64).contains(&bytes.len()) {
            return Err(MirrorError::Secret);
        }
        Ok(Self(Key::new(HMAC_SHA256, &bytes)))
    }

    /// The signature of a message, as the header `webhook-signature` has it.
    fn signature(&self, id: &str, seconds: i64, body: &[u8]) -> String {
        let signed = [format!("{id}.{seconds}.").as_bytes(), body].concat();
        format!("v1,{}", BASE64.encode(sign(&self.0, &signed).as_ref()))
    }
}

impl Webhook {
    /// An address, and the secret to sign with.
    ///
    /// # Errors
    /// What is posted would go over the network in the clear, or the text is not an address.
    pub fn new(url: &str, secret: Option<WebhookSecret>) -> Result<Self, MirrorError> {
        let refused = || MirrorError::Address(url.split('?').next().unwrap_or_default().to_owned());
        let parsed = Url::parse(url).map_err(|_| refused())?;
        let is_local = match parsed.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        };
        if parsed.scheme() != "https" && !(parsed.scheme() == "http" && is_local) {
            return Err(refused());
        }
        Ok(Self { url: parsed, secret, http: http_client()? })
    }

    async fn post(&self, id: &str, body: Vec<u8>, now: Timestamp) -> Result<(), MirrorError> {
        let seconds = now.as_second();
        let mut request = self
            .http
            .post(self.url.clone())
            .header("content-type", "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", seconds);
        if let Some(secret) = &self.secret {
            request = request.header("webhook-signature", secret.signature(id, seconds, &body));
        }
        let answer = request.body(body).send().await.map_err(|error| undelivered(&error.without_url()))?;
        if answer.status().is_success() {
            return Ok(());
        }
        Err(MirrorError::Undelivered(format!("the address answered {}", answer.status())))
    }
}

/// A client for posts. Redirects are not followed, so that nothing is posted to another address than the
/// given one.
#[allow(clippy::disallowed_methods, reason = "the one place of this crate that builds clients")]
fn http_client() -> Result<reqwest::Client, MirrorError> {
    let builder = reqwest::Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none());
    builder.build().map_err(|error| undelivered(&error))
}

impl Delivery {
    /// Hands a message on.
    ///
    /// # Errors
    /// The command failed, or the address did not answer with a status of 200 to 299.
    pub(crate) async fn deliver(&self, id: &str, body: Vec<u8>, now: Timestamp) -> Result<(), MirrorError> {
        match self {
            Self::Command(command) => run(command, body).await,
            Self::Webhook(webhook) => webhook.post(id, body, now).await,
        }
    }
}

/// Runs a command with the message on its standard input. One that does not read it is not at fault.
async fn run(command: &str, body: Vec<u8>) -> Result<(), MirrorError> {
    let child = Command::new("sh").arg("-c").arg(command).stdin(Stdio::piped()).kill_on_drop(true).spawn();
    let mut child = child.map_err(|error| undelivered(&error))?;
    if let Some(mut input) = child.stdin.take() {
        drop(input.write_all(&body).await);
    }
    let status = child.wait().await.map_err(|error| undelivered(&error))?;
    if status.success() {
        return Ok(());
    }
    Err(MirrorError::Undelivered(format!("the command ended with {status}")))
}

fn undelivered(error: &dyn std::error::Error) -> MirrorError {
    MirrorError::Undelivered(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_specification() {
        // The example of the specification of Standard Webhooks.
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let body = br#"{"test": 2432232314}"#;
        let signature = secret.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_of_another_form_is_refused_and_not_shown() {
        for wrong in ["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ", "whsec_%%%"] {
            let Err(refused) = WebhookSecret::parse(wrong) else { panic!("{wrong} is taken") };
            assert!(!refused.to_string().contains("MfKQ"), "{refused}");
        }
    }

    #[test]
    fn nothing_is_posted_in_the_clear_except_on_this_machine() {
        for address in
            ["https://hooks.example/a", "http://127.0.0.1:8000/", "http://localhost/", "http://[::1]/"]
        {
            assert!(Webhook::new(address, None).is_ok(), "{address}");
        }
        for address in
            ["http://hooks.example/a", "ftp://127.0.0.1/", "hooks.example", "http://localhost.example/"]
        {
            assert!(Webhook::new(address, None).is_err(), "{address}");
        }
    }

    #[tokio::test]
    async fn a_command_gets_the_message_and_its_failure_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("got");
        let deliver = async |command: String| {
            Delivery::Command(command).deliver("msg_1", b"{}".to_vec(), Timestamp::UNIX_EPOCH).await
        };
        deliver(format!("cat > '{}'", file.display())).await.unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"{}");
        assert!(deliver("true".to_owned()).await.is_ok());
        let failed = deliver("exit 3".to_owned()).await.unwrap_err().to_string();
        assert!(failed.contains("exit status: 3"), "{failed}");
    }
}

//! Buckets and containers of object stores, with their clients.

use std::sync::Arc;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use url::Url;

use crate::objects::refused;
use crate::{Result, StoreOptions};

/// Repetitions of a request that failed, within the setting `object_timeout`.
const RETRIES: usize = 4;

/// Variables with an endpoint, for Amazon's protocol and for Microsoft's emulator.
const ENDPOINTS: [&str; 3] = ["AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AZURITE_BLOB_STORAGE_URL"];

/// The client of a bucket or container at `s3://…`, `az://…` or `gs://…`. Options follow `?` under the names
/// that the `object_store` crate gives them (`endpoint`, `region`…); secrets come from the environment.
///
/// # Errors
/// The address or an option cannot be used.
pub(crate) fn open_bucket(address: &str, url: &Url, settings: &StoreOptions) -> Result<Arc<dyn ObjectStore>> {
    let failed = |error: object_store::Error| refused(address, &error.to_string());
    let retry = RetryConfig {
        backoff: BackoffConfig::default(),
        max_retries: RETRIES,
        retry_timeout: settings.object_timeout,
    };
    let options: Vec<(String, String)> = url.query_pairs().map(|(k, v)| (k.into(), v.into())).collect();
    // Plain HTTP is used only where the operator names an endpoint that speaks it.
    let is_plain_http = endpoint(&options).is_some_and(|endpoint| endpoint.starts_with("http://"));
    let client = ClientOptions::new()
        .with_timeout(settings.object_timeout)
        .with_connect_timeout(settings.acquire_timeout)
        .with_allow_http(is_plain_http);
    let without_options = address.split('?').next().unwrap_or(address);
    macro_rules! build {
        ($builder:expr) => {{
            let builder = $builder.with_url(without_options).with_retry(retry);
            let mut builder = builder.with_client_options(client);
            for (key, value) in options {
                builder = builder.with_config(key.parse().map_err(failed)?, value);
            }
            Ok(Arc::new(builder.build().map_err(failed)?))
        }};
    }
    match url.scheme() {
        "s3" => build!(AmazonS3Builder::from_env()),
        "az" => {
            let emulated = variable("AZURITE_BLOB_STORAGE_URL").is_some();
            build!(MicrosoftAzureBuilder::from_env().with_use_emulator(emulated))
        }
        _ => build!(GoogleCloudStorageBuilder::from_env()),
    }
}

/// The endpoint that the address names, or else a variable.
fn endpoint(options: &[(String, String)]) -> Option<String> {
    for (key, value) in options {
        if key == "endpoint" {
            return Some(value.clone());
        }
    }
    for name in ENDPOINTS {
        if let Some(value) = variable(name)
            && !value.is_empty()
        {
            return Some(value);
        }
    }
    None
}

/// A variable that the providers of object stores document.
#[allow(clippy::disallowed_methods, reason = "object_store reads the others of these variables itself")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

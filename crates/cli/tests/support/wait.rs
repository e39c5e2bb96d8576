//! Polling with a deadline: tests wait for other processes only in this way.

use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longest time, on a busy machine, for actions of the program that are usually immediate.
pub const DEADLINE: Duration = Duration::from_secs(120);

const INTERVAL: Duration = Duration::from_millis(20);

/// Polls until there is a value, and fails after `within` with the last reason.
pub async fn eventually<T>(within: Duration, mut poll: impl AsyncFnMut() -> Result<T, String>) -> T {
    let start = Instant::now();
    loop {
        match poll().await {
            Ok(value) => return value,
            Err(reason) => assert!(start.elapsed() < within, "still after {within:?}: {reason}"),
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// The same for tests without a runtime.
pub fn eventually_blocking<T>(within: Duration, mut poll: impl FnMut() -> Result<T, String>) -> T {
    let start = Instant::now();
    loop {
        match poll() {
            Ok(value) => return value,
            Err(reason) => assert!(start.elapsed() < within, "still after {within:?}: {reason}"),
        }
        std::thread::sleep(INTERVAL);
    }
}

/// The content of the ready file of a program, which must not end before; `log` is its standard error.
pub fn ready(child: &mut Child, file: &Path, log: &Path) -> Result<Value, String> {
    if let Some(status) = child.try_wait().unwrap() {
        panic!("it ended with {status}: {}", std::fs::read_to_string(log).unwrap());
    }
    let Ok(bytes) = std::fs::read(file) else {
        return Err(format!("there is no ready file: {}", std::fs::read_to_string(log).unwrap()));
    };
    Ok(serde_json::from_slice(&bytes).unwrap())
}

/// Whether a program ended, and well.
pub fn ended(child: &mut Child) -> Result<(), String> {
    let status = child.try_wait().unwrap().ok_or("it does not end")?;
    assert!(status.success(), "it ended with {status}");
    Ok(())
}

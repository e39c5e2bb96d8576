//! Every command of docs/onboarding.md, as written there.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use norma_dev_idp::Settings;

use crate::world::World;

/// The commands in the order of the page, each on one line, without the comment behind it.
fn commands() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/onboarding.md");
    let page = std::fs::read_to_string(page).unwrap().replace("\\\n", " ");
    let lines = page.lines().map(|line| line.trim().split("  #").next().unwrap().trim().to_owned());
    lines.filter(|line| line.starts_with("norma ")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_of_the_page_does_what_it_says() {
    let world = World::with(Settings::ephemeral(), &[]).await;
    world.file("secret.txt", world.client.secret.expose());
    world.file("norma.toml", "[identity]\naudience = [\"api://norma\"]\n");
    let bin = Path::new(env!("CARGO_BIN_EXE_norma")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let shell = |line: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec {line}")]).current_dir(world.folder.path()).env("PATH", &path);
        shell
            .env("NORMA_STORE", "norma.db")
            .env("NORMA_LISTEN", "127.0.0.1:0")
            .env("NORMA_OPS_LISTEN", "127.0.0.1:0")
            .env("NORMA_AUTH_URL", world.idp.url())
            .env("NORMA_TENANT_ID", world.client.tenant.to_string())
            .env("NORMA_CLIENT_ID", world.client.client_id.to_string())
            .env("NORMA_SCOPE", "api://norma/.default")
            .env("NORMA_CLIENT_SECRET_FILE", "secret.txt")
            .env("NORMA_BASE_URL", &world.base_url)
            .stdin(Stdio::null());
        shell
    };
    let commands = commands();
    assert_eq!(commands.len(), 10, "{commands:#?}");
    for line in &commands {
        match line.as_str() {
            serve if serve.starts_with("norma serve ") => begins(shell(&format!("{serve} 2>&1")), "serving"),
            // Another port than the example's, which somebody may use.
            provider if provider.contains("--idp-config") => {
                begins(shell(&format!("{provider} --idp-listen 127.0.0.1:0")), "DEVELOPMENT");
            }
            line => {
                let output = shell(line).output().unwrap();
                let said = String::from_utf8_lossy(&output.stdout);
                // The tenants that the page invents are known to no provider: which the operator sees.
                let invented = line.starts_with("norma doctor operator");
                let expected = i32::from(invented);
                let err = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(expected), "{line}: {said}{err}");
                assert!(
                    !invented || said.contains("problem  keys") && said.contains("ok       keys"),
                    "{said}"
                );
            }
        }
    }
}

/// Starts a command that goes on until it is stopped, and waits for a word on its standard output.
fn begins(mut command: Command, word: &str) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains(word) {
        assert!(out.read_line(&mut line).unwrap() > 0, "it ended: {line}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(out.read_to_string(&mut line));
}

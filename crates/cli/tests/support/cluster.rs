//! A PostgreSQL server for one test, to stop, kill and fail over.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::test_store::{program, psql};
use super::wait::eventually_blocking;

/// A server on a separate port, which ends when this is dropped.
pub struct Cluster {
    folder: tempfile::TempDir,
    pub port: u16,
}

impl Cluster {
    /// Makes one and starts it.
    pub fn start() -> Self {
        let cluster = Self::room();
        let data = cluster.data();
        run(cluster
            .command("initdb")
            .args(["-U", "norma", "-A", "trust", "-E", "UTF8", "--no-sync", "-D"])
            .arg(data));
        cluster.start_again();
        cluster
    }

    /// A standby that follows this server.
    pub fn standby(&self) -> Self {
        let standby = Self::room();
        let port = self.port.to_string();
        let options =
            ["-h", "127.0.0.1", "-U", "norma", "-R", "-X", "stream", "-c", "fast", "--no-sync", "-p", &port];
        run(standby.command("pg_basebackup").args(options).arg("-D").arg(standby.data()));
        standby.start_again();
        standby
    }

    /// The address of an existing database on it.
    pub fn address(&self) -> String {
        format!("postgres://norma@127.0.0.1:{}/postgres", self.port)
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn sql(&self, sql: &str) -> String {
        psql(&self.address(), sql)
    }

    /// Starts it again; after a kill, as soon as the old processes are gone.
    pub fn start_again(&self) {
        let options = format!(
            "-p {} -k {} -c listen_addresses=127.0.0.1 -c max_connections=60 -c fsync=off -c wal_level=replica",
            self.port,
            self.folder.path().display()
        );
        eventually_blocking(Duration::from_secs(30), || {
            let mut start = self.command("pg_ctl");
            start.arg("-D").arg(self.data()).arg("-l").arg(self.folder.path().join("log"));
            let status = start
                .args(["-w", "-o", &options, "start"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            let log = || std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            status.success().then_some(()).ok_or_else(|| format!("PostgreSQL does not start: {}", log()))
        });
    }

    /// Stops it: `fast` ends sessions, `immediate` is like a crash.
    pub fn stop(&self, mode: &str) {
        run(self.command("pg_ctl").arg("-D").arg(self.data()).args(["-w", "-m", mode, "stop"]));
    }

    /// Kills it with all its sessions, like a loss of power.
    pub fn kill(&self) {
        let pid = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        let pid = pid.lines().next().unwrap().to_owned();
        let children = Command::new("ps").args(["-o", "pid=", "--ppid", &pid]).output().unwrap();
        let children = String::from_utf8(children.stdout).unwrap();
        run(Command::new("kill").arg("-9").arg(&pid));
        // A session may have ended since it was listed: `kill` fails for it and continues with the others.
        drop(Command::new("kill").arg("-9").args(children.split_whitespace()).output().unwrap());
    }

    /// Makes a standby the primary.
    pub fn promote(&self) {
        run(self.command("pg_ctl").arg("-D").arg(self.data()).args(["-w", "promote"]));
    }

    fn room() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let cluster = Self { folder, port: super::free_port() };
        if cluster.is_root() {
            run(Command::new("chown").arg("postgres").arg(cluster.folder.path()));
        }
        cluster
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn is_root(&self) -> bool {
        std::fs::metadata("/proc/self").unwrap().uid() == 0
    }

    /// A command for the server, run by its own user: PostgreSQL refuses to run as root.
    fn command(&self, name: &str) -> Command {
        let mut command = if self.is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program(name));
            command
        } else {
            Command::new(program(name))
        };
        command.current_dir("/");
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.data().join("postmaster.pid").exists() {
            let mut stop = self.command("pg_ctl");
            stop.arg("-D").arg(self.data()).args(["-m", "immediate", "stop"]);
            drop(stop.stdout(Stdio::null()).stderr(Stdio::null()).status());
        }
    }
}

fn run(command: &mut Command) {
    let output = command.stdout(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

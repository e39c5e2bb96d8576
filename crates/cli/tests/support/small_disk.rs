//! Small file system that a test fills.

use std::io::Write;
use std::process::Command;

/// A separate small file system, which is soon full.
pub struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// Mounts it; `None`, with a message, if the test may not.
    pub fn of(megabytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={megabytes}m");
        let mount = ["-t", "tmpfs", "-o", &size, "tmpfs"];
        let mounted = Command::new("mount").args(mount).arg(folder.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(folder));
        }
        // Not by a macro: those are held back when a test passes.
        let _ = writeln!(std::io::stderr(), "LEFT OUT: no file system may be mounted to be filled");
        None
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Uses all remaining space.
    pub fn fill(&self) {
        let mut file = std::fs::File::create(self.path("filler")).unwrap();
        for size in [1 << 20, 4096] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    pub fn make_room(&self) {
        std::fs::remove_file(self.path("filler")).unwrap();
    }

    /// Mounts it again so that it can be only read (`ro`) or written as well (`rw`).
    pub fn remount(&self, how: &str) {
        let option = format!("remount,{how}");
        assert!(Command::new("mount").args(["-o", &option]).arg(self.0.path()).status().unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

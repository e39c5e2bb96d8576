//! Code blocks of the README and of the guides: each runs, and its output is the one shown below it.
//!
//! The blocks of one language in one guide are one program, which waits before each block, so that blocks run
//! in the order of the page. A `text` block below has the lines that are printed, a `json` block members of
//! what is printed.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;
use support::{Demo, free_port, installed};

/// Guides that use the running demonstration, which the last one changes; and one that needs nothing.
const WITH_DEMONSTRATION: [&str; 3] = ["README.md", "docs/selections.md", "docs/using-the-api.md"];
const ALONE: &str = "docs/onboarding.md";

/// Blocks that cannot run here: their begin, and the reason.
const EXCEPTIONS: [(&str, &str); 3] = [
    ("script/demo", "compiles Norma once more, and starts the demonstration that this test has started"),
    ("script/test", "runs this test"),
    ("cargo install", "compiles Norma in its release profile, which takes minutes"),
];

/// Printed at the end of each block.
const END: &str = "-- end of the block --";

/// Starts programs that do not end, `norma serve` and `norma dev-idp`, in the background, and waits for their
/// port. A caller examines itself once the service knows its tenant, within a second.
const SHELL: &str = r#"
set -euo pipefail
exec 3<&0 </dev/null
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
norma() {
    local port=${NORMA_LISTEN##*:}
    case "$*" in
    serve*) ;;
    "doctor caller"*) sleep 1 && command norma "$@" && return || return ;;
    dev-idp*--idp-config*) port=$IDP_PORT && set -- "$@" --idp-listen "127.0.0.1:$port" ;;
    *) command norma "$@" && return || return ;;
    esac
    command norma "$@" >/dev/null &
    until (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do kill -0 $! && sleep 0.05; done
}
"#;

const TYPESCRIPT: &str = r#"
import { createInterface } from "node:readline";
const blocks = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const wait = async () => { if ((await blocks.next()).done) process.exit(0); };
"#;

struct Block {
    language: &'static str,
    line: usize,
    code: String,
    /// Language and text of the block with its output.
    shown: Option<(String, String)>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The blocks of a guide that are programs. What they print is below one block or several in a row.
fn blocks(guide: &str) -> Vec<Block> {
    let text = std::fs::read_to_string(root().join(guide)).unwrap();
    let mut lines = (1..).zip(text.lines());
    let (mut blocks, mut row): (Vec<Block>, usize) = (Vec::new(), 0);
    while let Some((line, first)) = lines.next() {
        let Some(language) = first.strip_prefix("```") else {
            row = if first.is_empty() { row } else { blocks.len() };
            continue;
        };
        let code = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        let code: String = code.flat_map(|line| [line, "\n"]).collect();
        match ["sh", "python", "ts"].into_iter().find(|known| *known == language) {
            Some(language) => blocks.push(Block { language, line, code, shown: None }),
            None => {
                for block in &mut blocks[row..] {
                    block.shown = Some((language.to_owned(), code.clone()));
                }
                row = blocks.len();
            }
        }
    }
    blocks
}

fn exception(block: &Block) -> Option<&'static str> {
    EXCEPTIONS.iter().map(|(begin, _)| *begin).find(|begin| block.code.starts_with(begin))
}

/// The program made from the blocks of one language, at its start or between two blocks.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    log: PathBuf,
}

impl Program {
    /// Starts it in a folder of its own within that of the guide.
    fn start(language: &str, code: &[&str], guide: &Path, [api, provider]: &[String; 2]) -> Self {
        let folder = guide.join(language);
        std::fs::create_dir(&folder).unwrap();
        for link in ["samples", ".norma"] {
            let target = if link == "samples" { root().join(link) } else { guide.join("norma") };
            std::os::unix::fs::symlink(target, folder.join(link)).unwrap();
        }
        let (begin, wait, end) = match language {
            "sh" => (SHELL, "read -r _ <&3", format!("echo '{END}'")),
            "python" => ("", "input()", format!("print('{END}', flush=True)")),
            _ => (TYPESCRIPT, "await wait();", format!("console.log('{END}');")),
        };
        let mut program = begin.to_owned();
        code.iter().for_each(|code| write!(program, "{wait}\n{code}{end}\n").unwrap());
        let program = program.replace(":8480", &format!(":{api}")).replace(":8400", &format!(":{provider}"));
        let (file, words) = match language {
            "sh" => ("guide.sh", vec!["bash".into()]),
            "python" => ("guide.py", vec![installed("NORMA_VENV").unwrap().join("bin/python")]),
            _ => ("guide.mts", vec!["node".into()]),
        };
        std::fs::write(folder.join(file), program).unwrap();
        if language == "ts" {
            let modules = installed("NORMA_NODE_MODULES").unwrap();
            let mut compiler = Command::new(modules.join(".bin/tsc"));
            compiler
                .args(["--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"])
                .args(["--lib", "es2022", "--types", "node", "--typeRoots"])
                .arg(modules.join("@types"));
            let output = compiler.arg(file).current_dir(&folder).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
        let norma = Path::new(env!("CARGO_BIN_EXE_norma")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let log = folder.join("log");
        // With the variables of the demonstration, where it runs.
        let set = "set -a; [ ! -e .norma/demo ] || . .norma/demo/environment; exec \"$@\"";
        let mut child = Command::new("bash")
            .args(["-c", set, "bash"])
            .args(words)
            .arg(file.replace("mts", "mjs"))
            .env_clear()
            .env("PATH", format!("{}:{path}", norma.display()))
            .env("COLUMNS", "96")
            .env("PYTHONPATH", root().join("python/src"))
            .env("NORMA_LISTEN", format!("127.0.0.1:{api}"))
            .env("NORMA_OPS_LISTEN", "127.0.0.1:0")
            .env("IDP_PORT", provider)
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { input: child.stdin.take(), child, output, log }
    }

    /// Runs the next block, and returns its output or why the program ended.
    fn run(&mut self) -> Result<String, String> {
        writeln!(self.input.as_mut().unwrap()).unwrap();
        let mut printed = String::new();
        while self.output.read_line(&mut printed).unwrap() > 0 {
            if let Some(printed) = printed.strip_suffix(&format!("{END}\n")) {
                return Ok(printed.to_owned());
            }
        }
        Err(format!("{printed}{}", std::fs::read_to_string(&self.log).unwrap()))
    }
}

/// Closes the input of the program, which ends it and the programs that it started.
impl Drop for Program {
    fn drop(&mut self) {
        drop(self.input.take());
        drop(self.child.wait());
    }
}

/// Whether a value contains everything that is shown; members and the ends of lists may be missing.
fn has(value: &Value, shown: &Value) -> bool {
    match (value, shown) {
        (Value::Object(value), Value::Object(shown)) => {
            shown.iter().all(|(name, shown)| value.get(name).is_some_and(|value| has(value, shown)))
        }
        (Value::Array(value), Value::Array(shown)) => {
            value.len() >= shown.len() && value.iter().zip(shown).all(|(value, shown)| has(value, shown))
        }
        _ => value == shown,
    }
}

/// Runs the blocks of a guide, and returns the failures, a text each.
fn failures(guide: &str, folder: &Path) -> Vec<String> {
    let blocks: Vec<Block> = blocks(guide).into_iter().filter(|block| exception(block).is_none()).collect();
    let ports = [free_port(), free_port()].map(|port| port.to_string());
    let mut programs: BTreeMap<&str, Program> = BTreeMap::new();
    let mut failures = Vec::new();
    for block in &blocks {
        let program = programs.entry(block.language).or_insert_with(|| {
            let same = blocks.iter().filter(|other| other.language == block.language);
            let code: Vec<&str> = same.map(|block| &*block.code).collect();
            Program::start(block.language, &code, folder, &ports)
        });
        let at = format!("{guide}:{}, {}", block.line, block.language);
        let printed = match program.run() {
            Ok(printed) => printed,
            Err(reason) => {
                failures.push(format!("{at}: it fails: {reason}"));
                return failures;
            }
        };
        let lines = |text: &str| text.lines().map(str::trim_end).map(str::to_owned).collect::<Vec<_>>();
        let fits = match &block.shown {
            None => true,
            Some((language, shown)) if language == "json" => {
                let json = |text: &str| serde_json::from_str::<Value>(text).ok();
                json(&printed).zip(json(shown)).is_some_and(|(value, shown)| has(&value, &shown))
            }
            Some((_, shown)) => lines(&printed) == lines(shown),
        };
        if !fits {
            failures.push(format!("{at}: it prints other lines than are shown below it:\n{printed}"));
        }
    }
    failures
}

#[tokio::test(flavor = "multi_thread")]
async fn each_block_prints_what_is_shown_below_it() {
    let (Some(_), Some(_)) = (installed("NORMA_VENV"), installed("NORMA_NODE_MODULES")) else { return };
    let demo = Demo::start(&["--rate-limit", "200"]).await;
    let mut wrong = Vec::new();
    for guide in WITH_DEMONSTRATION {
        let folder = demo.folder().join(guide.replace('/', " "));
        std::fs::create_dir_all(folder.join("norma")).unwrap();
        std::os::unix::fs::symlink(demo.folder().join("data"), folder.join("norma/demo")).unwrap();
        wrong.extend(failures(guide, &folder));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_block_of_the_onboarding_runs_on_an_empty_machine() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = failures(ALONE, folder.path());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_exception_is_needed() {
    let guides = WITH_DEMONSTRATION.iter().chain([&ALONE]);
    let blocks: Vec<Block> = guides.flat_map(|guide| blocks(guide)).collect();
    for (begin, reason) in EXCEPTIONS {
        assert!(
            blocks.iter().any(|block| exception(block) == Some(begin)),
            "no block begins with `{begin}`: {reason}"
        );
    }
}

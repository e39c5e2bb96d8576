//! The command: `cargo run --release -p norma-bench-data -- OUT --standards 10000`.

use std::path::PathBuf;

use clap::Parser;
use norma_bench_data::Archive;

/// Writes an archive of invented standards as NISO STS, the same for the same options.
#[derive(Parser)]
struct Typed {
    /// Folder to write; it is made, and must be empty if it is there.
    out: PathBuf,
    /// How many documents: each edition, language and amendment is one.
    #[arg(long, default_value_t = 1000)]
    standards: usize,
    /// Another seed makes another archive.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Size of the documents: 1 gives a median of 60 KB and a tail of several MB, 0.1 a tenth of that.
    #[arg(long, default_value_t = 1.0)]
    size: f64,
    /// Draw figures, with SVG and PNG files next to the documents.
    #[arg(long)]
    pictures: bool,
}

fn main() -> anyhow::Result<()> {
    let Typed { out, standards, seed, size, pictures } = Typed::parse();
    let bytes = Archive { standards, seed, size, pictures }.write(&out)?;
    println!("{standards} documents, {:.1} MB in {}", bytes as f64 / 1e6, out.display());
    Ok(())
}

//! Compression of views, once, when they are rendered.
//!
//! Two views are sent with a few members in front that are not stored with them (see `norma_api::shapes::Standing`).
//! Their compressed forms are *tails*: they continue a stream that is begun when they are sent. Only the short
//! beginning is compressed then.

use std::io::Write;

use brotli::CompressorWriter;
use brotli::enc::BrotliEncoderParams;
use flate2::write::GzEncoder;
use flate2::{FlushCompress, Status};
use norma_store::Encoding;

use crate::config::Ingest;

/// How hard to compress.
#[derive(Clone, Copy, Debug)]
pub struct Compression {
    /// gzip level, 0 to 9.
    pub gzip: u32,
    /// Brotli quality, 2 to 11: the lower ones cannot write tails.
    pub brotli: u32,
}

impl From<&Ingest> for Compression {
    fn from(settings: &Ingest) -> Self {
        Self { gzip: settings.gzip_level, brotli: settings.brotli_quality }
    }
}

/// The beginnings are short and compressed for each answer: quickly.
const QUICK: Compression = Compression { gzip: 1, brotli: 2 };

/// Below this many bytes a compressed form saves no packet.
const WORTHWHILE: usize = 860;

/// The window that a stream states: 4 MiB, that of tails which earlier versions stored, and within what every decoder takes
/// (RFC 7932, section 9.1).
const STATED_WINDOW: i32 = 22;

/// The largest window asked for, 2 MiB: enough for nearly every view. Twice as much takes 4 MB more of memory and gains 3 %.
const LARGEST_WINDOW: i32 = 21;

/// The smallest window asked for: below it the encoder searches in another, slower way. Its memory is twice the window.
const SMALLEST_WINDOW: i32 = 18;

/// So many bytes are written as blocks of their own. Left alone the encoder gathers up to 8 MiB first, takes two and a half
/// times the memory, and large views come out a little larger.
const BROTLI_BLOCK: usize = 512 << 10;

const ENDLESS: &str = "a vector takes every byte";

/// How bytes are sent.
#[derive(Clone, Copy, Debug)]
pub enum Stream {
    /// As they are.
    Whole,
    /// After a beginning made by [`begun`].
    Tail,
}

type Compress = fn(&[u8], Compression) -> Vec<u8>;

/// The compressed forms of bytes, each made when it is asked for, so that they need not be in memory together; none where
/// compression gains nothing.
pub fn forms(bytes: &[u8], stream: Stream, how: Compression) -> impl Iterator<Item = (Encoding, Vec<u8>)> {
    let ways: [(Encoding, Compress); 2] = match stream {
        Stream::Whole => [(Encoding::Gzip, gzip_whole), (Encoding::Brotli, brotli_whole)],
        Stream::Tail => [(Encoding::Gzip, gzip_tail), (Encoding::Brotli, brotli_tail)],
    };
    ways.into_iter()
        .filter(|_| bytes.len() >= WORTHWHILE)
        .map(move |(encoding, compress)| (encoding, compress(bytes, how)))
        .filter(|(_, form)| form.len() < bytes.len())
}

/// A whole stream: `head` compressed, and after it the stored `tail` in the same encoding.
pub fn begun(head: &[u8], tail: &[u8], encoding: Encoding) -> Vec<u8> {
    let beginning = Beginning::new(head, encoding);
    let (kept, replaced) = tail.split_at(tail.len().saturating_sub(beginning.replaced()));
    [&beginning.front, kept, &beginning.end(replaced)].concat()
}

/// The beginning of a stream that a stored tail continues.
pub struct Beginning {
    /// What is sent before the tail.
    pub front: Vec<u8>,
    encoding: Encoding,
    checksum: crc32fast::Hasher,
    size: u32,
}

impl Beginning {
    /// Compresses the beginning.
    pub fn new(head: &[u8], encoding: Encoding) -> Self {
        let mut checksum = crc32fast::Hasher::new();
        let front = match encoding {
            Encoding::Identity => head.to_vec(),
            // Two deflate streams in one gzip member: the first ends on a byte boundary without a final block.
            Encoding::Gzip => {
                checksum.update(head);
                [&GZIP_HEADER[..], &deflate(head, QUICK.gzip, FlushCompress::Sync)].concat()
            }
            Encoding::Brotli => brotli(head, QUICK.brotli, |params| {
                params.appendable = true;
                params.bare_stream = true;
                // The window of the whole stream: the tail's own may be as large.
                params.lgwin = STATED_WINDOW;
            }),
        };
        Self { front, encoding, checksum, size: head.len() as u32 }
    }

    /// How many bytes at the end of the tail are not sent; [`end`](Self::end) makes others of them.
    pub fn replaced(&self) -> usize {
        match self.encoding {
            Encoding::Gzip => GZIP_TRAILER,
            Encoding::Identity | Encoding::Brotli => 0,
        }
    }

    /// How many bytes come after the tail.
    pub fn end_size(&self) -> usize {
        match self.encoding {
            Encoding::Identity => 0,
            Encoding::Gzip => GZIP_TRAILER,
            Encoding::Brotli => 1,
        }
    }

    /// What is sent after the tail, in place of its last bytes.
    pub fn end(&self, replaced: &[u8]) -> Vec<u8> {
        let number =
            |at: usize| replaced.get(at..at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        match self.encoding {
            Encoding::Identity => Vec::new(),
            // The checksum of both is worked out from the checksum of each.
            Encoding::Gzip => {
                let mut checksum = self.checksum.clone();
                let tail = crc32fast::Hasher::new_with_initial_len(number(0), u64::from(number(4)));
                checksum.combine(&tail);
                [checksum.finalize().to_le_bytes(), self.size.wrapping_add(number(4)).to_le_bytes()].concat()
            }
            // The last, empty meta-block (RFC 7932, section 9.2), which bare streams leave out.
            Encoding::Brotli => vec![0x03],
        }
    }
}

fn gzip_whole(bytes: &[u8], how: Compression) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::new(how.gzip));
    gzip.write_all(bytes).expect(ENDLESS);
    gzip.finish().expect(ENDLESS)
}

fn gzip_tail(bytes: &[u8], how: Compression) -> Vec<u8> {
    let mut gzip = deflate(bytes, how.gzip, FlushCompress::Finish);
    gzip.extend_from_slice(&crc32fast::hash(bytes).to_le_bytes());
    gzip.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    gzip
}

fn brotli_whole(bytes: &[u8], how: Compression) -> Vec<u8> {
    brotli(bytes, how.brotli, |_| {})
}

fn brotli_tail(bytes: &[u8], how: Compression) -> Vec<u8> {
    brotli(bytes, how.brotli, |params| {
        params.catable = true;
        params.bare_stream = true;
        params.use_dictionary = false;
    })
}

fn brotli(bytes: &[u8], quality: u32, adjust: impl FnOnce(&mut BrotliEncoderParams)) -> Vec<u8> {
    let mut params = BrotliEncoderParams {
        quality: quality as i32,
        lgwin: window(bytes.len()),
        size_hint: bytes.len(),
        ..Default::default()
    };
    adjust(&mut params);
    let mut out = CompressorWriter::with_params(Vec::new(), 4096, &params);
    let mut blocks = bytes.chunks(BROTLI_BLOCK).peekable();
    while let Some(block) = blocks.next() {
        out.write_all(block).expect(ENDLESS);
        if blocks.peek().is_some() {
            out.flush().expect(ENDLESS);
        }
    }
    out.into_inner()
}

/// The smallest window over so many bytes (a window of 2^n reaches back 16 bytes less).
fn window(bytes: usize) -> i32 {
    let fits = |bits: &i32| bytes <= (1 << bits) - 16;
    (SMALLEST_WINDOW..LARGEST_WINDOW).find(fits).unwrap_or(LARGEST_WINDOW)
}

/// The header of RFC 1952, section 2.3: deflate, no name, no time, an unknown system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Checksum and length at the end of a gzip member (RFC 1952, section 2.3.1).
const GZIP_TRAILER: usize = 8;

fn deflate(bytes: &[u8], level: u32, flush: FlushCompress) -> Vec<u8> {
    let mut state = flate2::Compress::new(flate2::Compression::new(level), false);
    let mut out = Vec::with_capacity(bytes.len() / 3 + 64);
    loop {
        let rest = &bytes[state.total_in() as usize..];
        let status = state.compress_vec(rest, &mut out, flush).expect("the stream is in order");
        let all_read = state.total_in() as usize == bytes.len();
        let room_left = out.len() < out.capacity();
        if status == Status::StreamEnd || all_read && room_left && flush != FlushCompress::Finish {
            return out;
        }
        out.reserve(out.capacity());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn read(stream: &[u8], encoding: Encoding) -> Vec<u8> {
        let mut bytes = Vec::new();
        match encoding {
            Encoding::Identity => bytes.extend_from_slice(stream),
            Encoding::Gzip => _ = flate2::read::GzDecoder::new(stream).read_to_end(&mut bytes).unwrap(),
            Encoding::Brotli => {
                _ = brotli::Decompressor::new(stream, 4096).read_to_end(&mut bytes).unwrap();
            }
        }
        bytes
    }

    fn text(clauses: u32) -> Vec<u8> {
        (0..clauses)
            .flat_map(|n| format!("the clause {n} shall be read as {}; ", n * n).into_bytes())
            .collect()
    }

    const HOW: Compression = Compression { gzip: 6, brotli: 5 };

    #[test]
    fn whole_forms_read_back_and_short_bytes_stay_as_they_are() {
        let bytes = text(3000);
        let forms: Vec<_> = forms(&bytes, Stream::Whole, HOW).collect();
        assert_eq!(forms.len(), 2);
        for (encoding, form) in forms {
            assert_eq!(read(&form, encoding), bytes, "{encoding:?}");
        }
        assert_eq!(super::forms(b"short", Stream::Whole, HOW).count(), 0);
    }

    #[test]
    fn a_tail_continues_whatever_beginning() {
        for (head, clauses) in [(0, 100), (1, 100), (7, 40_000), (300, 3000), (40_000, 100)] {
            let (head, bytes) = (text(head), text(clauses));
            let forms: Vec<_> = forms(&bytes, Stream::Tail, HOW).collect();
            assert_eq!(forms.len(), 2);
            for (encoding, form) in forms.into_iter().chain([(Encoding::Identity, bytes.clone())]) {
                let joined = begun(&head, &form, encoding);
                assert_eq!(read(&joined, encoding), [&head[..], &bytes].concat(), "{encoding:?}");
            }
        }
    }
}

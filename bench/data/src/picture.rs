//! Pictures: drawings as SVG and halftones as PNG, each unlike all others.

use std::io::Write;

use fastrand::Rng;
use flate2::{Compression, Crc, write::ZlibEncoder};

/// A drawing of lines, circles and numbers.
pub(crate) fn svg(rng: &mut Rng) -> Vec<u8> {
    let (width, height) = (rng.u32(200..=640), rng.u32(120..=480));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<g fill=\"none\" stroke=\"#222\">\n"
    );
    for number in 1..rng.u32(8..60) {
        let (x, y) = (rng.u32(0..width), rng.u32(0..height));
        svg += &match number % 4 {
            0 => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>\n", rng.u32(2..40)),
            1 => format!("<text x=\"{x}\" y=\"{y}\" stroke=\"none\" fill=\"#000\">{number}</text>\n"),
            _ => format!("<path d=\"M{x} {y} L{} {}\"/>\n", rng.u32(0..width), rng.u32(0..height)),
        };
    }
    svg += "</g>\n</svg>\n";
    svg.into_bytes()
}

/// A grey picture with noise in it (PNG, ISO/IEC 15948), eight bits a pixel.
pub(crate) fn png(rng: &mut Rng) -> Vec<u8> {
    let (width, height) = (rng.u32(64..=320), rng.u32(48..=240));
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::fast());
    for y in 0..height {
        // Each row begins with its filter: none.
        let mut row = vec![0];
        row.extend(
            (0..width).map(|x| ((x * 160 / width + y * 60 / height) as u8).wrapping_add(rng.u8(0..4))),
        );
        rows.write_all(&row).expect("memory takes all bytes");
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = Vec::new();
    head.extend(width.to_be_bytes());
    head.extend(height.to_be_bytes());
    head.extend([8, 0, 0, 0, 0]);
    chunk(&mut png, b"IHDR", &head);
    chunk(&mut png, b"IDAT", &rows.finish().expect("memory takes all bytes"));
    chunk(&mut png, b"IEND", &[]);
    png
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    let mut sum = Crc::new();
    sum.update(kind);
    sum.update(data);
    png.extend((data.len() as u32).to_be_bytes());
    png.extend(kind);
    png.extend(data);
    png.extend(sum.sum().to_be_bytes());
}

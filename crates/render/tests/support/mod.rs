//! The example edition as it is rendered.

#![allow(dead_code, reason = "each test uses its own part of it")]

pub(crate) mod assembled;
pub(crate) mod example;

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use norma_api::media::View;
use norma_model::Edition;
use norma_render::{Assembly, Compression, Offsets, Pack, PackDirectory, PackPart, Plan, Segment, render};

use self::assembled::assembled;

/// An edition in its stored form.
pub(crate) struct Rendered {
    pub(crate) pack: Pack,
    pub(crate) directory: PackDirectory,
    pub(crate) offsets: Arc<Offsets>,
}

/// The example edition.
pub(crate) fn edition() -> Edition {
    Edition::new(example::edition().0).unwrap()
}

/// The example edition in its stored form.
pub(crate) fn rendered() -> Rendered {
    let assets = example::edition().1;
    Rendered::of(render(
        &edition(),
        &assets,
        example::REVISION,
        b"<standard/>",
        b"",
        Compression::with_level(6),
    ))
}

impl Rendered {
    /// Opens a pack.
    pub(crate) fn of(pack: Pack) -> Self {
        let directory = PackDirectory::parse(&pack.directory).unwrap();
        let offsets = Assembly::new(Plan::part(PackPart::Offsets, &directory), &directory);
        let offsets = Arc::new(Offsets::from_bytes(&assembled(offsets, &pack.bytes)).unwrap());
        Self { pack, directory, offsets }
    }

    /// The result of a plan.
    pub(crate) fn assemble(&self, plan: Plan) -> Vec<u8> {
        assembled(Assembly::new(plan, &self.directory), &self.pack.bytes)
    }

    /// A fragment of a part.
    pub(crate) fn fragment(&self, part: PackPart, range: Range<u64>) -> Bytes {
        let segment = Segment::find(&self.directory, &self.offsets, part, &range).unwrap();
        let Range { start, end } = segment.stored;
        let identity = segment.inflate(self.pack.bytes.slice(start as usize..end as usize)).unwrap();
        let [start, end] = [range.start, range.end].map(|at| (at - segment.identity.start) as usize);
        identity.slice(start..end)
    }

    /// The identity bytes of a view; complete standards and metadata begin with `front`.
    pub(crate) fn view_after(&self, view: View, front: impl Into<Bytes>) -> Vec<u8> {
        self.assemble(Plan::view(view, front.into(), &self.directory, &self.offsets).unwrap())
    }

    /// The identity bytes of a view, without the members from the catalogue.
    pub(crate) fn view(&self, view: View) -> Vec<u8> {
        self.view_after(view, "{")
    }
}

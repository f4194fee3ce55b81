import CDeflate
import Foundation

/// A PNG file whose faults between chunks are mended so that a decoder reads as many pixels as there are.
///
/// Wrong checksums are computed again, the last chunk is shortened to the bytes that are there, and a missing end chunk
/// is added. A chunk that is longer than the file never reaches a decoder, which would allocate that much.
///
/// Source: W3C PNG, third edition, sections 5 and 13.
struct PNGRepair {
    /// The file to decode; the original one if it has no fault.
    private(set) var file: Data
    /// The first fault; nil if there is none.
    private(set) var damage: PictureDamage?
    private(set) var hasPixels = false

    /// Searches a file for faults, and copies it without them if there are any.
    init(_ data: Data) {
        file = data
        data.withUnsafeBytes { bytes in
            let view = ByteView(bytes: bytes)
            walk(view) { _ in }
            guard damage != nil else { return }
            var mended = data.prefix(8)
            walk(view) { mended += PNGChunks.chunk($0.name, Array($0.content)) }
            file = mended
        }
    }

    /// Visits the chunks that a decoder can use, an end chunk at last, and records the first fault.
    private mutating func walk(_ view: ByteView, _ use: (PartOfChunk) -> Void) {
        var (offset, isAnimated) = (8, false)
        while let chunk = partOfChunk(at: offset, in: view) {
            let isPixels = chunk.name == PNGChunks.ChunkName.pixels
            // Decoders ignore an ancillary chunk with a fault, and need no part of another chunk than pixels.
            if chunk.isIntact || (chunk.isCritical && (isPixels || chunk.stated != nil)) { use(chunk) }
            if chunk.name == PNGChunks.ChunkName.end, chunk.stated != nil { return }
            hasPixels = hasPixels || isPixels
            isAnimated = isAnimated || chunk.name == PNGChunks.ChunkName.animation
            offset += 12 + chunk.length
        }
        record(offset < view.bytes.count || isAnimated ? .incomplete("the file is cut off") : .missingEnd)
        use(.end)
    }

    private mutating func record(_ fault: PictureDamage) { damage = damage ?? fault }

    /// A chunk of which the end may be missing.
    private struct PartOfChunk {
        let name: Int
        let length: Int
        /// The content as far as it is there.
        let content: UnsafeRawBufferPointer
        /// The checksum in the file; nil if the file ends before it.
        let stated: Int?
        let isIntact: Bool

        var isCritical: Bool { name & 0x2000_0000 == 0 }

        /// An end chunk that is not in the file.
        static var end: PartOfChunk {
            PartOfChunk(
                name: PNGChunks.ChunkName.end, length: 0, content: UnsafeRawBufferPointer(start: nil, count: 0),
                stated: nil, isIntact: true)
        }
    }

    /// Reads a chunk and records its fault; nil at the end, and for bytes that are no chunk.
    private mutating func partOfChunk(at offset: Int, in view: ByteView) -> PartOfChunk? {
        guard let length = view.number(at: offset, bytes: 4), let name = view.number(at: offset + 4, bytes: 4),
            let content = view.part(at: offset + 8, count: min(length, view.bytes.count - offset - 8)),
            let checked = view.part(at: offset + 4, count: 4 + content.count)
        else { return nil }
        let letters = PNGChunks.bigEndian(name)
        guard letters.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
            record(.corrupt("what should be a chunk at byte \(offset) is none"))
            return nil
        }
        let stated = view.number(at: offset + 8 + length, bytes: 4)
        let sum = Int(libdeflate_crc32(0, checked.baseAddress, checked.count))
        let chunk = PartOfChunk(name: name, length: length, content: content, stated: stated, isIntact: stated == sum)
        if stated == nil { record(.incomplete("the chunk at byte \(offset) is longer than the file")) }
        if stated != nil, chunk.isCritical, !chunk.isIntact {
            record(.corrupt("the checksum of \(String(decoding: letters, as: UTF8.self)) at byte \(offset) is wrong"))
        }
        return chunk
    }
}

import CDeflate
import Foundation

/// A PNG file whose faults between chunks are mended so that a decoder reads as many pixels as there are.
///
/// Wrong checksums are computed again, the last chunk is shortened to the bytes that are there, and a missing end chunk
/// is added. A chunk that is longer than the file never reaches a decoder, which would allocate that much.
///
/// Source: W3C PNG, third edition, sections 5 and 13.
struct PNGRepair {
    private(set) var file = Data()
    /// The first fault; nil if there is none.
    private(set) var damage: PictureDamage?
    private(set) var hasPixels = false
    private var hasEnd = false
    private var isAnimated = false

    init(_ data: Data) {
        file.reserveCapacity(data.count + 12)
        file += data.prefix(8)
        data.withUnsafeBytes { bytes in
            let view = ByteView(bytes: bytes)
            var offset = 8
            while !hasEnd, let next = copyChunk(at: offset, of: view) { offset = next }
            if !hasEnd { record(offset < bytes.count || isAnimated ? .incomplete("the file is cut off") : .missingEnd) }
        }
        guard !hasEnd else { return }
        file += [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    }

    /// Copies a chunk and returns the offset of the next one; nil if the chunks end here.
    private mutating func copyChunk(at offset: Int, of view: ByteView) -> Int? {
        guard let length = view.number(at: offset, bytes: 4), let name = view.part(at: offset + 4, count: 4) else {
            return nil
        }
        guard name.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
            record(.corrupt("what should be a chunk at byte \(offset) is none"))
            return nil
        }
        let isPixels = name.elementsEqual("IDAT".utf8)
        let there = min(length, view.bytes.count - offset - 8)
        guard let content = view.part(at: offset + 8, count: there) else { return nil }
        let stated = view.number(at: offset + 8 + length, bytes: 4).map { UInt32(truncatingIfNeeded: $0) }
        if stated == nil { record(.incomplete("the chunk at byte \(offset) is longer than the file")) }
        let sum = libdeflate_crc32(
            libdeflate_crc32(0, name.baseAddress, name.count), content.baseAddress, content.count)
        let (isCritical, isIntact) = (name[0] & 0x20 == 0, stated == sum)
        if isCritical, let stated, stated != sum {
            record(.corrupt("the checksum of \(String(decoding: name, as: UTF8.self)) at byte \(offset) is wrong"))
        }
        // Decoders ignore an ancillary chunk with a fault, and need no part of another chunk than pixels.
        if isIntact || (isCritical && (isPixels || stated != nil)) {
            file += Self.bigEndian(UInt32(truncatingIfNeeded: content.count)) + name
            file += content
            file += Self.bigEndian(sum)
            hasPixels = hasPixels || isPixels
            isAnimated = isAnimated || name.elementsEqual("acTL".utf8)
            hasEnd = name.elementsEqual("IEND".utf8)
        }
        return stated == nil ? nil : offset + 12 + length
    }

    private mutating func record(_ damage: PictureDamage) {
        self.damage = self.damage ?? damage
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
}

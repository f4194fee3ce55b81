import CDeflate
import Foundation
import Raster

/// A search for the first fault of a file that its decoder refused, for decoder messages that say too little.
enum DamageReport {
    /// Returns the reason to report for a decoder's message.
    ///
    /// - Parameters:
    ///   - message: The decoder's message; nil if it gave none.
    ///   - data: The file, which is searched for its first fault.
    ///   - format: The format of the file.
    static func reason(for message: String?, in data: Data, of format: ImageFormat) -> String {
        let reported = message.flatMap { isInformative($0) ? $0 : nil }
        let found = data.withUnsafeBytes { bytes -> String? in
            let view = ByteView(bytes: bytes)
            return switch format {
            case .png: PNGDamage(view).reason
            case .webP: reported == nil ? webPReason(view) : nil
            default: nil
            }
        }
        return found ?? reported ?? "its compressed pixels are damaged"
    }

    /// Messages of libvips that do not name the fault.
    private static let empty = ["libpng read error", "unable to parse image", "unable to read pixels"]

    private static func isInformative(_ message: String) -> Bool { !empty.contains { message.hasSuffix($0) } }

    /// Returns the first fault in the chunks of a WebP; nil if none is found.
    ///
    /// Source: RFC 9649, sections 2.4 to 2.7, and RFC 6386, section 9.1.
    private static func webPReason(_ view: ByteView) -> String? {
        var offset = 12
        var isExtended = false
        while let size = view.number(at: offset + 4, bytes: 4, isLittle: true) {
            let content = offset + 8
            guard view.part(at: content, count: size) != nil else {
                return "a chunk at byte \(offset) is longer than the file"
            }
            if view.has("VP8X", at: offset) {
                isExtended = true
            } else if view.has("VP8 ", at: offset) {
                return view.number(at: content + 3, bytes: 3) == 0x9D012A && size >= 10
                    ? nil : "the header of its pixels is damaged"
            } else if view.has("VP8L", at: offset) {
                return view.number(at: content, bytes: 1) == 0x2F && size >= 5
                    ? nil : "the header of its pixels is damaged"
            } else if view.has("ANMF", at: offset) {
                return size >= 24 ? nil : "its first frame is too short"
            } else if !isExtended {
                return "its first chunk is none of VP8, VP8L and VP8X"
            }
            offset = content + size + size % 2
        }
        return "there are no pixels in it"
    }
}

/// A search for the first fault of a PNG file, chunk by chunk.
///
/// Source: W3C PNG, third edition, sections 5 and 11.
private struct PNGDamage {
    private let view: ByteView
    private var width = 0
    private var height = 0
    private var bits = 0
    private var isInterlaced = false

    /// The largest number of bytes of pixels that are unpacked for the check; larger pictures are not checked.
    private static let largest = 64 << 20

    init(_ view: ByteView) { self.view = view }

    var reason: String? {
        var copy = self
        return copy.walk()
    }

    private mutating func walk() -> String? {
        var (offset, packed, hasPalette, needsPalette, isAfterPixels) = (8, [UInt8](), false, false, false)
        while let length = view.number(at: offset, bytes: 4), let name = name(at: offset + 4),
            let content = view.part(at: offset + 8, count: length),
            let sum = view.number(at: offset + 8 + length, bytes: 4),
            let checked = view.part(at: offset + 4, count: length + 4)
        {
            guard name.allSatisfy({ $0.isASCII && $0.isLetter }) else {
                return "what should be a chunk at byte \(offset) is none"
            }
            guard libdeflate_crc32(0, checked.baseAddress, checked.count) == UInt32(truncatingIfNeeded: sum) else {
                return "the checksum of \(name) at byte \(offset) is wrong"
            }
            guard (name == "IHDR") == (offset == 8) else { return "its header is not the first chunk" }
            switch name {
            case "IHDR":
                if let fault = readHeader(content) { return fault }
                needsPalette = content[9] == 3
            case "PLTE":
                guard length % 3 == 0, (3...768).contains(length) else { return "its palette has \(length) bytes" }
                hasPalette = true
            case "IDAT":
                if isAfterPixels { return "its pixels are in several pieces" }
                if needsPalette, !hasPalette { return "its palette is missing" }
                packed += content
            case "IEND": return packed.isEmpty ? "there are no pixels in it" : pixelFault(packed)
            default:
                if name.first?.isUppercase == true { return "its chunk \(name) is critical and not known" }
            }
            isAfterPixels = !packed.isEmpty && name != "IDAT"
            offset += 12 + length
        }
        return "the chunk at byte \(offset) is longer than the file"
    }

    private func name(at offset: Int) -> String? {
        view.part(at: offset, count: 4).map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func readHeader(_ content: UnsafeRawBufferPointer) -> String? {
        let header = ByteView(bytes: content)
        guard content.count == 13, let width = header.number(at: 0, bytes: 4),
            let height = header.number(at: 4, bytes: 4)
        else { return "its header has \(content.count) bytes instead of 13" }
        let (depth, type) = (Int(content[8]), Int(content[9]))
        let depths = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        guard width > 0, height > 0, width <= Int32.max, height <= Int32.max else {
            return "its header says \(width)×\(height) pixels"
        }
        guard depths[type]?.contains(depth) == true else {
            return "its header says colour type \(type) with \(depth) bits"
        }
        guard content[10] == 0, content[11] == 0, content[12] <= 1 else { return "its header names an unknown method" }
        (self.width, self.height, isInterlaced) = (width, height, content[12] == 1)
        bits = depth * ([0: 1, 2: 3, 3: 1, 4: 2, 6: 4][type] ?? 1)
        return nil
    }

    /// The passes of Adam7: first column, first row, column step, row step.
    private static let passes = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    /// The bytes per row without the filter byte, and the number of rows, of each pass.
    private var rows: [(bytes: Int, count: Int)] {
        guard isInterlaced else { return [((width * bits + 7) / 8, height)] }
        return Self.passes.map { left, top, across, down in
            let (columns, rows) = ((width - left + across - 1) / across, (height - top + down - 1) / down)
            return columns > 0 && rows > 0 ? ((columns * bits + 7) / 8, rows) : (0, 0)
        }
    }

    private func pixelFault(_ packed: [UInt8]) -> String? {
        let rows = rows
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, area <= Self.largest else { return nil }
        let count = rows.reduce(0) { $0 + ($1.bytes + 1) * $1.count }
        guard count <= Self.largest, let unpacker = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(unpacker) }
        var (pixels, got) = ([UInt8](repeating: 0, count: count), 0)
        let result = libdeflate_zlib_decompress(unpacker, packed, packed.count, &pixels, count, &got)
        switch result {
        case LIBDEFLATE_SUCCESS where got == count: break
        case LIBDEFLATE_SUCCESS: return "its pixels end after \(got) of \(count) bytes"
        case LIBDEFLATE_INSUFFICIENT_SPACE: return "it has more pixels than its header says"
        default: return "its compressed pixels are damaged"
        }
        var start = 0
        for pass in rows {
            for row in 0..<pass.count {
                if pixels[start] > 4 { return "row \(row + 1) has the unknown filter \(pixels[start])" }
                start += pass.bytes + 1
            }
        }
        return nil
    }
}

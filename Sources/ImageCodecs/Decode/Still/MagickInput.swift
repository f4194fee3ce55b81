import Foundation
import Raster

/// Changes to files that ImageMagick 6.9 does not read as they are.
struct MagickInput {
    let format: ImageFormat

    /// Returns the file, or an equal one that ImageMagick reads.
    ///
    /// - Throws: `.processor(.unsupported)` for a kind of the format that ImageMagick cannot read.
    func accepted(_ data: Data) throws(CodecError) -> Data {
        switch format {
        case .bmp: withFileSize(data)
        case .xpm: withOpeningComment(data)
        case .dds: try withFourCC(data)
        default: data
        }
    }

    /// ImageMagick refuses a BMP file that states another size than its own; others ignore what it states.
    private func withFileSize(_ data: Data) -> Data {
        guard data.count >= 6, data.count <= UInt32.max else { return data }
        let size = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> ($0 * 8)) }
        return data.prefix(2) + Data(size) + data.dropFirst(6)
    }

    /// ImageMagick knows an XPM file by its opening comment only.
    private func withOpeningComment(_ data: Data) -> Data {
        let mark = Data("/* XPM */".utf8)
        return data.starts(with: mark) ? data : mark + Data([UInt8(ascii: "\n")]) + data
    }

    /// Whether the decoded colours are inverted: ImageMagick shows the bit 0 of a PCX file white, and it is black.
    func isInverted(_ data: Data) -> Bool {
        format == .pcx && data.withUnsafeBytes { $0.count > 65 && $0[3] == 1 && $0[65] == 1 }
    }

    /// The numbers of DXGI formats that DXT1, DXT3 and DXT5 name too, linear and in sRGB.
    private static let names: [Int: String] = [
        70: "DXT1", 71: "DXT1", 72: "DXT1", 73: "DXT3", 74: "DXT3", 75: "DXT3", 76: "DXT5", 77: "DXT5", 78: "DXT5",
    ]

    /// Replaces the extended header of a DDS file by the older name of its compression.
    private func withFourCC(_ data: Data) throws(CodecError) -> Data {
        let bytes = [UInt8](data)
        let known = bytes.withUnsafeBytes { bytes -> (isOld: Bool, code: Int, number: Int?) in
            let view = ByteView(bytes: bytes)
            let code = view.number(at: 84, bytes: 4) ?? 0
            let isOld = code == 0 || ["DXT1", "DXT3", "DXT5"].contains { view.has($0, at: 84) }
            let number = view.has("DX10", at: 84) ? view.number(at: 128, bytes: 4, isLittle: true) : nil
            return (isOld, code, number)
        }
        if known.isOld { return data }
        guard let number = known.number else { throw unsupported("DDS", "of this compression") }
        guard let name = Self.names[number], bytes.count > 148 else {
            throw unsupported("DDS", "of DXGI format \(number), such as BC4 to BC7,")
        }
        return Data(bytes[..<84] + Array(name.utf8) + bytes[88..<128] + bytes[148...])
    }

    private func unsupported(_ format: String, _ kind: String) -> CodecError {
        .processor(.decoderUnavailable("\(format) \(kind) is not read by ImageMagick 6.9"))
    }
}

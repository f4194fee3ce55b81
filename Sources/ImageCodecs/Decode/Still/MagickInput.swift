import Foundation
import Raster

/// Changes to files that ImageMagick 6.9 does not read as they are.
struct MagickInput {
    let format: ImageFormat

    /// Returns the file, or an equal one that ImageMagick reads.
    func accepted(_ data: Data) -> Data {
        switch format {
        case .bmp: withFileSize(data)
        case .xpm: withOpeningComment(data)
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

    /// Whether ImageMagick reads the file: of DDS, pictures without compression and those of its oldest kinds.
    func canRead(_ data: Data) -> Bool {
        guard format == .dds else { return true }
        return data.withUnsafeBytes { bytes in
            let view = ByteView(bytes: bytes)
            return view.number(at: 84, bytes: 4) == 0 || ["DXT1", "DXT3", "DXT5"].contains { view.has($0, at: 84) }
        }
    }
}

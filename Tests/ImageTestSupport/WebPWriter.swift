import AlcedoImageCodecs
import Foundation
import Raster
import TestSupport

/// An animated WebP put together from still ones (RFC 9649, section 2.7.1).
package enum WebPWriter {
    /// Frames cover the canvas; durations are in milliseconds.
    package static func animation(_ pictures: [PixelBuffer], durations: [Int], loop: Int = 0) throws -> Data {
        let size = pictures[0].size
        var body = chunk("VP8X", [0x02, 0, 0, 0] + three(size.width - 1) + three(size.height - 1))
        body += chunk("ANIM", [0, 0, 0, 0, UInt8(loop & 255), UInt8(loop >> 8)])
        for (picture, duration) in zip(pictures, durations) {
            let still = try imageChunk(of: picture)
            let head = three(0) + three(0) + three(size.width - 1) + three(size.height - 1) + three(duration) + [2]
            body += chunk("ANMF", head + still)
        }
        return Data(Array("RIFF".utf8) + four(body.count + 4) + Array("WEBP".utf8) + body)
    }

    /// An opaque picture as a simple file.
    package static func still(_ picture: PixelBuffer) throws -> Data {
        let chunk = try imageChunk(of: picture)
        return Data(Array("RIFF".utf8) + four(chunk.count + 4) + Array("WEBP".utf8) + chunk)
    }

    /// The chunk of an encoded picture that holds its pixels.
    private static func imageChunk(of picture: PixelBuffer) throws -> [UInt8] {
        var rest = Array(try ImageEncoder.encode(Pictures.image(picture), as: .webP))[12...]
        while rest.count > 8 {
            let start = rest.startIndex
            let count = (0..<4).reduce(0) { $0 | Int(rest[start + 4 + $1]) << ($1 * 8) }
            let chunk = Array(rest.prefix(8 + count + count % 2))
            if chunk.starts(with: Array("VP8 ".utf8)) { return chunk }
            rest = rest.dropFirst(chunk.count)
        }
        throw NoPixels()
    }

    private struct NoPixels: Error {}

    /// An extended file with EXIF of this orientation.
    package static func oriented(_ picture: PixelBuffer, exif: [UInt8]) throws -> Data {
        let size = picture.size
        var body = chunk("VP8X", [0x08, 0, 0, 0] + three(size.width - 1) + three(size.height - 1))
        body += try imageChunk(of: picture)
        body += chunk("EXIF", exif)
        return Data(Array("RIFF".utf8) + four(body.count + 4) + Array("WEBP".utf8) + body)
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + four(content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func three(_ value: Int) -> [UInt8] { (0..<3).map { UInt8(value >> ($0 * 8) & 255) } }
    private static func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 255) } }
}

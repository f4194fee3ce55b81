import AlcedoImageCodecs
import Foundation
import Raster
import TestSupport

/// A small file of each kind, for tests that damage them.
package enum SampleFiles {
    package enum Kind: String, CaseIterable, Sendable {
        case baselineJPEG, progressiveJPEG, png, interlacedPNG, gif, movingGIF, webP, movingWebP
    }

    package static func file(_ kind: Kind) throws -> Data {
        let picture = Pictures.gradient(PixelSize(width: 24, height: 16))
        switch kind {
        case .baselineJPEG: return try ImageEncoder.encode(Pictures.image(picture), as: .jpeg)
        case .progressiveJPEG: return try ProgressiveJPEG.file(width: 24, height: 16)
        case .png: return try picture.pngData()
        case .interlacedPNG: return interlaced(picture)
        case .gif: return GIFWriter.moving(1, loop: nil).data
        case .movingGIF: return GIFWriter.moving(3, width: 12, height: 8).data
        case .webP: return try WebPWriter.still(picture)
        case .movingWebP: return try WebPWriter.animation([picture, turned(picture)], durations: [40, 50])
        }
    }

    /// Everything that the file holds.
    package static func decode(_ data: Data, limits: DecodeLimits = .standard) throws(CodecError) -> Image {
        try CodecDecoder().decode(
            data, within: nil, limits: limits, animation: AnimationLoading(preloadsAllFrames: true))
    }

    private static func turned(_ picture: PixelBuffer) -> PixelBuffer {
        var picture = picture
        picture.withMutableBytes { bytes in
            for index in bytes.indices where index % 4 != 3 { bytes[index] = 255 - bytes[index] }
        }
        return picture
    }

    private static func interlaced(_ picture: PixelBuffer) -> Data {
        let width = picture.size.width
        let rows = (0..<picture.size.height).map { Array(picture.bytes[$0 * width * 4..<($0 + 1) * width * 4]) }
        return PNGFile(
            width: UInt32(width), height: UInt32(picture.size.height), type: .colourAlpha, isInterlaced: true,
            rows: rows
        ).data
    }
}

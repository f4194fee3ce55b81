import AlcedoCSixel
import Raster

/// The reference encoder: libsixel, given only indices.
///
/// libsixel's time grows with the square of the runs in a band.
package struct LibsixelEncoder: Sendable {
    package init() {}

    /// Returns one complete control string; no bytes for an empty picture, nil if libsixel fails.
    @concurrent
    package func encode(_ picture: IndexedPicture) async -> [UInt8]? {
        guard !picture.size.isEmpty else { return [] }
        guard let output = Self.output(for: picture) else { return nil }
        // Even without an envelope libsixel writes `q"1;1;W;H`.
        let body = output.drop {
            [UInt8(ascii: "q"), UInt8(ascii: "\"")].contains($0) || SixelEnvelope.isParameter($0)
        }
        let last = Int(picture.indices.lazy.filter { $0 != picture.hole }.max() ?? 0)
        return SixelEnvelope.start(picture.size, colors: picture.colors, lastRegister: last)
            + Self.bands(of: body).joined(separator: [SixelEnvelope.lineFeed]) + SixelEnvelope.end
    }

    /// Returns the bands; each selects its first colour itself, even if the band before ended with that colour.
    ///
    /// libsixel writes an empty band before a picture that is lower than a band.
    private static func bands(of body: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var color: ArraySlice<UInt8> = []
        return body.split(separator: SixelEnvelope.lineFeed).map { band in
            let whole = band.first == UInt8(ascii: "#") ? band : color + band
            let selection = whole.lastIndex(of: UInt8(ascii: "#")) ?? whole.startIndex
            color = whole[selection...].prefix { $0 == UInt8(ascii: "#") || SixelEnvelope.isParameter($0) }
            return whole
        }
    }

    /// Returns what libsixel writes for the indices, without envelope and register definitions; nil on an error.
    private static func output(for picture: IndexedPicture) -> [UInt8]? {
        let (width, height) = (Int32(clamping: picture.size.width), Int32(clamping: picture.size.height))
        guard picture.size.area <= Int(Int32.max) / 3 else { return nil }
        var dither: OpaquePointer?
        var output: OpaquePointer?
        let written = Written()
        defer {
            sixel_output_unref(output)
            sixel_dither_unref(dither)
        }
        let colors = Int32(min(max(picture.colors.count, 2), 256))
        let context = Unmanaged.passUnretained(written).toOpaque()
        guard csixel_failed(sixel_dither_new(&dither, colors, nil)) == 0,
            csixel_failed(sixel_output_new(&output, write, context, nil)) == 0
        else { return nil }
        sixel_dither_set_pixelformat(dither, csixel_pixelformat_pal8())
        sixel_dither_set_body_only(dither, 1)
        if let hole = picture.hole { sixel_dither_set_transparent(dither, Int32(hole)) }
        sixel_output_set_skip_dcs_envelope(output, 1)
        var indices = picture.indices
        let status = sixel_encode(&indices, width, height, 0, dither, output)
        return csixel_failed(status) == 0 ? withExtendedLifetime(written) { $0.bytes } : nil
    }

    /// The bytes that libsixel has written.
    private final class Written {
        var bytes: [UInt8] = []
    }

    private static let write: sixel_write_function = { data, size, context in
        guard let data, let context, size > 0 else { return 0 }
        let written = Unmanaged<Written>.fromOpaque(context).takeUnretainedValue()
        written.bytes += UnsafeRawBufferPointer(start: data, count: Int(size))
        return size
    }
}

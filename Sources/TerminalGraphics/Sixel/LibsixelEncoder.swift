import Raster

/// The reference encoder: libsixel, given indices only, in vertical strips that are joined into one stream.
///
/// libsixel's time grows with the square of the runs in a band, so that a strip of 160 columns costs a small part of
/// what the whole width would.
public struct LibsixelEncoder: SixelEncoder {
    /// The width of a strip in pixels.
    static let stripWidth = 160

    public init() {}

    /// One complete control string; no bytes for an empty picture.
    ///
    /// Throws `SixelError.tooLarge` for heights beyond two million rows, and the library's own refusals.
    @concurrent
    public func encode(_ picture: IndexedPicture) async throws(SixelError) -> [UInt8] {
        guard !picture.size.isEmpty else { return [] }
        let stripes = Stripes(of: picture.size.width, unit: Self.stripWidth, least: Self.stripWidth, most: .max)
        let results = await stripes.map { columns in LibsixelStrip.encoded(picture, columns: columns) }
        var strips: [LibsixelStrip] = []
        for result in results { strips.append(try result.get()) }
        let last = Int(picture.indices.max() ?? 0)
        return SixelEnvelope.start(picture.size, colors: picture.colors, lastRegister: last)
            + Self.joined(strips) + SixelEnvelope.end
    }

    /// Band by band, each strip's part of the band one after the other.
    private static func joined(_ strips: [LibsixelStrip]) -> [UInt8] {
        var bytes: [UInt8] = []
        for band in 0..<(strips.first?.bands.count ?? 0) {
            if band > 0 { bytes.append(SixelEnvelope.lineFeed) }
            for (place, strip) in strips.enumerated() {
                if place > 0 { bytes.append(SixelEnvelope.carriageReturn) }
                bytes += strip.bands[band]
            }
        }
        return bytes
    }
}

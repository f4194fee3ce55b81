import Raster

/// The project's own sixel encoder: colour by colour through each band of six rows, groups of bands at the same time.
public struct BandSixelEncoder: SixelEncoder {
    public init() {}

    /// One complete control string; no bytes for an empty picture.
    ///
    /// Complexity: O(pixels), whatever the picture.
    @concurrent
    public func encode(_ picture: IndexedPicture) async -> [UInt8] {
        guard !picture.size.isEmpty else { return [] }
        let stripes = Stripes(of: picture.size.height, unit: SixelEnvelope.bandHeight)
        let parts = await stripes.map { rows in SixelBands(picture, rows: rows) }
        return Self.stream(picture, parts)
    }

    private static func stream(_ picture: IndexedPicture, _ parts: [SixelBands]) -> [UInt8] {
        let last = parts.map(\.lastRegister).max() ?? 0
        var bytes = SixelEnvelope.start(picture.size, colors: picture.colors, lastRegister: last)
        bytes.reserveCapacity(bytes.count + parts.reduce(2) { $0 + $1.bytes.count + 1 })
        for (place, part) in parts.enumerated() {
            if place > 0 { bytes.append(SixelEnvelope.lineFeed) }
            bytes += part.bytes
        }
        return bytes + SixelEnvelope.end
    }
}

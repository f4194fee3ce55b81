import CSixel
import Raster

/// The reference encoder: libsixel, given only indices, in vertical strips that are joined into one stream.
///
/// libsixel's time grows with the square of the runs in a band; a strip of 160 columns takes a small fraction of the
/// time of the whole width.
package struct LibsixelEncoder: SixelEncoder {
    /// The width of a strip in pixels.
    static let stripWidth = 160

    package init() {}

    /// Returns one complete control string; no bytes for an empty picture.
    ///
    /// - Throws: `SixelError.tooLarge` for more than two million rows, and libsixel's errors.
    @concurrent
    package func encode(_ picture: IndexedPicture) async throws(SixelError) -> [UInt8] {
        guard !picture.size.isEmpty else { return [] }
        let stripes = Stripes(
            of: picture.size.width, unit: Self.stripWidth, minimumLength: Self.stripWidth, maximumCount: .max)
        let results = await stripes.map { columns in
            Result { () throws(SixelError) in try LibsixelStrip(picture, columns: columns) }
        }
        var strips: [LibsixelStrip] = []
        for result in results { strips.append(try result.get()) }
        let last = Int(picture.indices.max() ?? 0)
        return SixelEnvelope.start(picture.size, colors: picture.colors, lastRegister: last)
            + Self.joined(strips) + SixelEnvelope.end
    }

    /// Concatenates the strips' parts of each band.
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

/// Some columns of a picture encoded by libsixel, which can be joined with other strips in one stream.
private struct LibsixelStrip: Sendable {
    /// The sixel data of each band; it starts at the picture's left edge and selects its colour itself.
    let bands: [[UInt8]]

    /// Encodes some columns, passing at least six rows to libsixel, which misplaces lower pictures.
    init(_ picture: IndexedPicture, columns: Range<Int>) throws(SixelError) {
        let height = picture.size.height
        let given = max(height, SixelEnvelope.bandHeight)
        var indices: [UInt8] = []
        indices.reserveCapacity(columns.count * given)
        for row in 0..<given {
            let start = min(row, height - 1) * picture.size.width
            indices += picture.indices[(start + columns.lowerBound)..<(start + columns.upperBound)]
        }
        let drawing = try LibsixelDrawing(colors: picture.colors.count)
        let size = PixelSize(width: columns.count, height: given)
        let rows = height < given ? UInt8(1 << height) - 1 : 0x3F
        bands = LibsixelBody(try drawing.body(of: &indices, size: size)).bands(offset: columns.lowerBound, rows: rows)
        guard bands.count == (given + 5) / SixelEnvelope.bandHeight else { throw .malformedBody }
    }
}

/// libsixel's output without envelope and register definitions.
struct LibsixelBody {
    private let bytes: ArraySlice<UInt8>

    /// Removes the introducer and raster attributes, `q"1;1;W;H`, which libsixel writes even without an envelope.
    init(_ output: [UInt8]) {
        let header = output.prefix {
            [UInt8(ascii: "q"), UInt8(ascii: "\"")].contains($0) || SixelEnvelope.isParameter($0)
        }
        bytes = output[header.endIndex...]
    }

    /// Returns the bands, each moved `offset` pixels to the right and reduced to the rows in the mask `rows`.
    func bands(offset: Int, rows: UInt8) -> [[UInt8]] {
        var color: ArraySlice<UInt8> = []
        var bands = bytes.split(separator: SixelEnvelope.lineFeed, omittingEmptySubsequences: false)
        if bands.last?.isEmpty ?? false { bands.removeLast() }
        return bands.map { band in Self.band(band, offset: offset, rows: rows, color: &color) }
    }

    /// Converts one band; `color` is the selection in force before it, and is updated.
    private static func band(
        _ band: ArraySlice<UInt8>, offset: Int, rows: UInt8, color: inout ArraySlice<UInt8>
    ) -> [UInt8] {
        var result = Array(color)
        var atLeftEdge = true
        var position = band.startIndex
        while position < band.endIndex {
            let byte = band[position]
            let end = band[(position + 1)...].firstIndex { !SixelEnvelope.isParameter($0) } ?? band.endIndex
            if byte == UInt8(ascii: "#") { color = band[position..<end] }
            if atLeftEdge, byte == UInt8(ascii: "!") || byte >= SixelEnvelope.blank {
                result.append(capacity: 12) { $0.append(SixelEnvelope.blank, times: offset) }
                atLeftEdge = false
            }
            if byte == SixelEnvelope.carriageReturn { atLeftEdge = true }
            result.append(
                byte >= SixelEnvelope.blank ? SixelEnvelope.blank + ((byte - SixelEnvelope.blank) & rows) : byte)
            result += band[(position + 1)..<end]
            position = end
        }
        return result
    }
}

/// The libsixel objects of one encoding, an output and a dither; they are released with it.
private struct LibsixelDrawing: ~Copyable {
    private let output: OpaquePointer
    private let dither: OpaquePointer
    private let written = Written()

    /// The bytes that libsixel has written.
    private final class Written {
        var bytes: [UInt8] = []
    }

    init(colors: Int) throws(SixelError) {
        var dither: OpaquePointer?
        try Self.check(sixel_dither_new(&dither, Int32(min(max(colors, 2), 256)), nil))
        guard let dither else { throw .library(status: 0) }
        var output: OpaquePointer?
        let status = sixel_output_new(&output, Self.write, Unmanaged.passUnretained(written).toOpaque(), nil)
        guard csixel_failed(status) == 0, let output else {
            sixel_dither_unref(dither)
            throw .library(status: status)
        }
        self.dither = dither
        self.output = output
        sixel_dither_set_pixelformat(dither, csixel_pixelformat_pal8())
        sixel_dither_set_body_only(dither, 1)
        sixel_output_set_skip_dcs_envelope(output, 1)
    }

    deinit {
        sixel_output_unref(output)
        sixel_dither_unref(dither)
    }

    /// Returns libsixel's output for `indices`, which it may change.
    func body(of indices: inout [UInt8], size: PixelSize) throws(SixelError) -> [UInt8] {
        let (total, overflow) = size.area.multipliedReportingOverflow(by: 3)
        guard !overflow, total <= Int(Int32.max) else { throw .tooLarge }
        guard indices.count == size.area else { throw .malformedBody }
        let status = indices.withUnsafeMutableBufferPointer { indices in
            sixel_encode(indices.baseAddress, Int32(size.width), Int32(size.height), 0, dither, output)
        }
        try Self.check(status)
        return written.bytes
    }

    private static func check(_ status: SIXELSTATUS) throws(SixelError) {
        guard csixel_failed(status) == 0 else { throw .library(status: status) }
    }

    private static let write: sixel_write_function = { data, size, context in
        guard let data, let context, size > 0 else { return 0 }
        let written = Unmanaged<Written>.fromOpaque(context).takeUnretainedValue()
        written.bytes += UnsafeRawBufferPointer(start: data, count: Int(size))
        return size
    }
}

import Raster

/// Some columns of a picture as libsixel encodes them, made fit to stand beside other strips in one stream.
struct LibsixelStrip: Sendable {
    /// The sixel data of each band, which begins at the picture's left edge and selects its own colour.
    let bands: [[UInt8]]

    static func encoded(_ picture: IndexedPicture, columns: Range<Int>) -> Result<LibsixelStrip, SixelError> {
        do throws(SixelError) {
            return .success(try LibsixelStrip(picture, columns: columns))
        } catch {
            return .failure(error)
        }
    }

    /// Encodes some columns; libsixel is given at least six rows, as it misplaces lower pictures.
    private init(_ picture: IndexedPicture, columns: Range<Int>) throws(SixelError) {
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

/// The data that libsixel writes between the envelope's ends, without definitions of registers.
struct LibsixelBody {
    private let bytes: ArraySlice<UInt8>

    /// Drops the introducer and the raster attributes, `q"1;1;W;H`, that libsixel writes even without an envelope.
    init(_ output: [UInt8]) {
        let header = output.prefix { $0 == UInt8(ascii: "q") || $0 == UInt8(ascii: "\"") || Self.isParameter($0) }
        bytes = output[header.endIndex...]
    }

    /// The bands, each moved `offset` pixels to the right and reduced to the rows of the six in the mask `rows`.
    func bands(offset: Int, rows: UInt8) -> [[UInt8]] {
        var color: ArraySlice<UInt8> = []
        var bands = bytes.split(separator: SixelEnvelope.lineFeed, omittingEmptySubsequences: false)
        if bands.last?.isEmpty ?? false { bands.removeLast() }
        return bands.map { band in Self.band(band, offset: offset, rows: rows, color: &color) }
    }

    /// One band; `color` is the selection in force before it, and after it.
    private static func band(
        _ band: ArraySlice<UInt8>, offset: Int, rows: UInt8, color: inout ArraySlice<UInt8>
    ) -> [UInt8] {
        var result = Array(color)
        var atLeftEdge = true
        var position = band.startIndex
        while position < band.endIndex {
            let byte = band[position]
            let end = band[(position + 1)...].firstIndex { !isParameter($0) } ?? band.endIndex
            if byte == UInt8(ascii: "#") { color = band[position..<end] }
            if atLeftEdge, byte == UInt8(ascii: "!") || byte >= SixelEnvelope.blank {
                result.append(room: 12) { $0.append(SixelEnvelope.blank, times: offset) }
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

    private static func isParameter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: ";")).contains(byte)
    }
}

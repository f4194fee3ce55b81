import Raster

/// Options of iTerm2's inline image protocol.
public struct ITermOptions: Hashable, Sendable {
    /// The PNG file's compression level: 1 (the default, fast) to 9 (small).
    public let compression: Int
    /// The most characters of the file in one control string; nil, the default, sends it in one.
    ///
    /// Only iTerm2 since 3.5 supports parts; tmux and iTerm2 accept at most 1,048,576 bytes in one string.
    public let partLimit: Int?

    /// Creates options; `compression` is clamped to 1…9, `partLimit` to at least 200.
    public init(compression: Int = 1, partLimit: Int? = nil) {
        self.compression = min(max(compression, 1), 9)
        self.partLimit = partLimit.map { max(200, $0) }
    }

    /// The longest side ever sent in pixels: 10,000.
    public static let largestSide = 10_000
}
/// A picture in iTerm2's inline image protocol: OSC 1337 with a PNG file in base64.
struct ITermPicture: Hashable, Sendable {
    private let arguments: String
    private let file: [UInt8]
    private let partLimit: Int?

    /// Encodes a picture as PNG; the terminal stretches it over `grid`, or draws it pixel by pixel if that is nil.
    ///
    /// - Parameter background: shows through transparent pixels for quality `fast`.
    @concurrent
    init(
        _ picture: PixelBuffer, options: ITermOptions, background: Color, quality: Quality, palette: Palette?,
        filling grid: GridSize?
    ) async {
        var file: [UInt8]?
        if !picture.size.isEmpty {
            file = await PNGWriter(level: options.compression).file(
                picture, quality: quality, palette: palette, background: background)
        }
        self.init(file: file ?? [], size: picture.size, filling: grid, partLimit: options.partLimit)
    }

    private init(file: [UInt8], size: PixelSize, filling grid: GridSize?, partLimit: Int?) {
        let (width, height) = grid.map { ("\($0.columns)", "\($0.rows)") } ?? ("\(size.width)px", "\(size.height)px")
        arguments = "inline=1;size=\(file.count);width=\(width);height=\(height);preserveAspectRatio=0"
        self.file = Base64.encoded(file)
        self.partLimit = partLimit
    }

    /// The number of bytes in memory.
    var count: Int { file.count }

    /// Returns the bytes that draw with the upper left corner in a cell, without moving the cursor where supported.
    func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        guard !file.isEmpty else { return [] }
        let move = "\u{1B}[\(max(0, row) + 1);\(max(0, column) + 1)H"
        return Array(move.utf8) + controlStrings(arguments + ";doNotMoveCursor=1")
    }

    /// The bytes that draw at the cursor and move it to the next line.
    var inlineBytes: [UInt8] { file.isEmpty ? [] : controlStrings(arguments) + [10] }

    private func controlStrings(_ arguments: String) -> [UInt8] {
        guard let partLimit else { return Self.controlString("File=\(arguments):", file[...]) }
        var bytes = Self.controlString("MultipartFile=\(arguments)", [])
        for start in stride(from: 0, to: file.count, by: partLimit) {
            bytes += Self.controlString("FilePart=", file[start..<min(start + partLimit, file.count)])
        }
        return bytes + Self.controlString("CompletenessCheck", [])
    }

    private static func controlString(_ command: String, _ payload: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = Array("\u{1B}]1337;\(command)".utf8)
        bytes.reserveCapacity(bytes.count + payload.count + 2)
        bytes += payload
        return bytes + [0x1B, 0x5C]
    }
}

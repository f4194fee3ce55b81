import Raster

/// A picture file as iTerm2's inline image protocol has it: OSC 1337 with the file in base64.
struct ITermPicture: Hashable, Sendable {
    private let arguments: String
    private let file: [UInt8]
    private let partLimit: Int?

    /// Takes the bytes of a file in a format the terminal reads, shown over `grid` or in so many pixels.
    init(file: [UInt8], size: PixelSize, filling grid: GridSize?, partLimit: Int?) {
        let (width, height) = grid.map { ("\($0.columns)", "\($0.rows)") } ?? ("\(size.width)px", "\(size.height)px")
        arguments = "inline=1;size=\(file.count);width=\(width);height=\(height);preserveAspectRatio=0"
        self.file = Base64.encoded(file)
        self.partLimit = partLimit
    }

    /// The bytes held.
    var count: Int { file.count }

    /// The bytes that draw with the upper left corner in a cell, where the cursor stays if the terminal knows how to.
    func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        guard !file.isEmpty else { return [] }
        let move = "\u{1B}[\(max(0, row) + 1);\(max(0, column) + 1)H"
        return Array(move.utf8) + controlStrings(arguments + ";doNotMoveCursor=1")
    }

    /// The bytes that draw where the cursor stands and leave it in the line after.
    var inlineBytes: [UInt8] { file.isEmpty ? [] : controlStrings(arguments) + [10] }

    private func controlStrings(_ arguments: String) -> [UInt8] {
        guard let partLimit else { return Self.controlString("File=\(arguments):", file[...]) }
        var bytes = Self.controlString("MultipartFile=\(arguments)", [])
        for start in stride(from: 0, to: file.count, by: partLimit) {
            bytes += Self.controlString("FilePart=", file[start..<min(start + partLimit, file.count)])
        }
        return bytes + Self.controlString("FileEnd", [])
    }

    private static func controlString(_ command: String, _ payload: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = Array("\u{1B}]1337;\(command)".utf8)
        bytes.reserveCapacity(bytes.count + payload.count + 2)
        bytes += payload
        return bytes + [0x1B, 0x5C]
    }
}

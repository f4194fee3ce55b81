import Foundation

/// Bytes that are there already, in pieces.
struct MemorySource: ByteSource {
    let name: String
    private let bytes: Data
    private var place = 0

    init(_ bytes: Data, name: String) {
        self.bytes = bytes
        self.name = name
    }

    mutating func read(line: Int) -> [UInt8] {
        let piece = bytes.dropFirst(place).prefix(ByteStream.piece)
        place += piece.count
        return [UInt8](piece)
    }
}

import Foundation

/// A source of bytes in chunks of bounded size.
protocol ByteSource: Sendable {
    /// The name for messages.
    var name: String { get }

    /// Returns the next bytes; an empty array at the end.
    ///
    /// - Parameter line: The line to name in errors; 0 for none.
    mutating func read(line: Int) async throws(ListError) -> [UInt8]

    /// Returns whether no bytes arrive for a while; false if the source cannot tell, the default.
    func isIdle() async -> Bool
}

extension ByteSource {
    func isIdle() async -> Bool { false }
}

/// Bytes in memory.
struct MemorySource: ByteSource {
    let name: String
    private var bytes: Data

    init(_ bytes: Data, name: String) {
        self.bytes = bytes
        self.name = name
    }

    mutating func read(line: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(ByteStream.chunkSize) }
        return [UInt8](bytes.prefix(ByteStream.chunkSize))
    }
}

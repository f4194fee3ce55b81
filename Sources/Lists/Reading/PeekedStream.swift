/// A stream whose first bytes can be examined before they are read.
///
/// An error while reading ahead is thrown after the bytes before it.
struct PeekedStream: ByteSource {
    /// The bytes read ahead.
    private(set) var head: [UInt8] = []
    /// Whether the head is all there is.
    private(set) var isComplete = false
    private var error: ListError?
    private var rest: any ByteSource

    init(_ rest: any ByteSource) {
        self.rest = rest
    }

    var name: String { rest.name }

    /// Reads ahead until the head has `count` bytes or is complete.
    ///
    /// - Throws: ``ListError/cancelled`` only.
    mutating func fill(to count: Int) async throws(ListError) {
        while head.count < count, !isComplete { try await readAhead() }
    }

    /// Reads one more chunk ahead.
    ///
    /// - Throws: ``ListError/cancelled`` only.
    mutating func readAhead() async throws(ListError) {
        do {
            let bytes = try await rest.read(line: 0)
            head += bytes
            isComplete = bytes.isEmpty
        } catch {
            if error == .cancelled { throw error }
            isComplete = true
            self.error = error
        }
    }

    mutating func dropFirst(_ count: Int) {
        head.removeFirst(min(count, head.count))
    }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        if !head.isEmpty {
            let bytes = head
            head = []
            return bytes
        }
        if let error { throw error }
        return isComplete ? [] : try await rest.read(line: line)
    }

    func isIdle() async -> Bool { head.isEmpty && !isComplete ? await rest.isIdle() : false }

    /// Returns a text in UTF-8 with LF as line end: unpacks gzip, converts UTF-16, and drops a byte order mark.
    ///
    /// Each layer is detected by its first bytes.
    static func text(of source: any ByteSource) async throws(ListError) -> PeekedStream {
        var stream = PeekedStream(source)
        try await stream.fill(to: 3)
        if stream.head.starts(with: GzipStream.signature) {
            stream = PeekedStream(try GzipStream(stream))
            try await stream.fill(to: 3)
        }
        if let order = UTF16Stream.ByteOrder(mark: stream.head) {
            stream.dropFirst(2)
            stream = PeekedStream(UTF16Stream(stream, order: order))
        } else if stream.head.starts(with: [0xEF, 0xBB, 0xBF]) {
            stream.dropFirst(3)
        }
        return PeekedStream(LineEndStream(stream))
    }
}

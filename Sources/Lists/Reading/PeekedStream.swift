/// A stream whose first bytes can be looked at before they are read.
///
/// When reading ahead fails, the bytes so far come first and the error after them.
struct PeekedStream: ByteSource {
    /// The bytes read ahead.
    private(set) var head: [UInt8] = []
    /// Whether nothing comes after the head.
    private(set) var isWhole = false
    private var failure: ListError?
    private var rest: any ByteSource

    init(_ rest: any ByteSource) {
        self.rest = rest
    }

    var name: String { rest.name }

    /// Reads ahead until the head has so many bytes or is whole; throws ``ListError/cancelled`` only.
    mutating func fill(to count: Int) async throws(ListError) {
        while head.count < count, !isWhole { try await grow() }
    }

    /// Reads one more piece ahead; throws ``ListError/cancelled`` only.
    mutating func grow() async throws(ListError) {
        do {
            let bytes = try await rest.read(line: 0)
            head += bytes
            isWhole = bytes.isEmpty
        } catch {
            if error == .cancelled { throw error }
            isWhole = true
            failure = error
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
        if let failure { throw failure }
        return isWhole ? [] : try await rest.read(line: line)
    }

    func isQuiet() async -> Bool { head.isEmpty && !isWhole ? await rest.isQuiet() : false }
}

import AlcedoCZlib
import Synchronization

/// The content of a gzip file (RFC 1952), which may have several members.
///
/// Returns the data unpacked so far before it throws the error of truncated or damaged data. Zero bytes after a member
/// are padding.
struct GzipStream: ByteSource {
    static let signature: [UInt8] = [0x1F, 0x8B]

    private var base: any ByteSource
    private let inflater: Inflater
    private var input: ArraySlice<UInt8> = []
    private var state = Inflater.State.ended

    init(_ base: any ByteSource) throws(ListError) {
        guard let inflater = Inflater() else {
            throw .unreadable(file: base.name, line: nil, reason: "no memory to unpack it")
        }
        self.base = base
        self.inflater = inflater
    }

    var name: String { base.name }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        while true {
            if case .damaged(let reason) = state { throw error("the gzip data is damaged: \(reason)", line) }
            if state != .outputFull, input.isEmpty {
                input = try await base.read(line: line)[...]
                if input.isEmpty {
                    if state == .ended { return [] }
                    throw error("the gzip data ends early", line)
                }
            }
            if state == .ended { input = input.drop { $0 == 0 } }
            if input.isEmpty, state != .outputFull { continue }
            let step = inflater.inflate(input, limit: ByteStream.chunkSize)
            input = input.dropFirst(step.consumed)
            state = step.state
            if !step.bytes.isEmpty { return step.bytes }
        }
    }

    private func error(_ reason: String, _ line: Int) -> ListError {
        .unreadable(file: name, line: line > 0 ? line : nil, reason: reason)
    }
}

/// Owner of a zlib stream that unpacks gzip.
///
/// The stream needs a stable address, hence the pointer. The lock makes it `Sendable`.
private final class Inflater: Sendable {
    struct Step {
        var bytes: [UInt8]
        /// The number of input bytes consumed.
        var consumed: Int
        var state: State
    }

    enum State: Hashable {
        /// The output limit was reached; more output may follow without more input.
        case outputFull
        case needsInput
        /// The member is complete and its checksum is right.
        ///
        /// The next byte begins another member.
        case ended
        case damaged(String)
    }

    private let stream: Mutex<UnsafeMutablePointer<z_stream>>

    /// Creates a stream; nil without memory for it.
    init?() {
        let pointer = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        pointer.initialize(to: z_stream())
        guard alcedo_inflate_gzip(pointer) == Z_OK else {
            pointer.deallocate()
            return nil
        }
        stream = Mutex(pointer)
    }

    deinit {
        stream.withLock { pointer in
            inflateEnd(pointer)
            pointer.deallocate()
        }
    }

    /// Unpacks at most `limit` bytes.
    func inflate(_ input: ArraySlice<UInt8>, limit: Int) -> Step {
        stream.withLock { pointer in
            var code = Z_OK
            var consumed = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
                input.withUnsafeBufferPointer { input in
                    pointer.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                    pointer.pointee.avail_in = UInt32(clamping: input.count)
                    pointer.pointee.next_out = output.baseAddress
                    pointer.pointee.avail_out = UInt32(clamping: limit)
                    code = AlcedoCZlib.inflate(pointer, Z_NO_FLUSH)
                    consumed = input.count - Int(pointer.pointee.avail_in)
                    count = limit - Int(pointer.pointee.avail_out)
                }
            }
            return Step(bytes: bytes, consumed: consumed, state: Self.state(code, pointer, bytes.count == limit))
        }
    }

    private static func state(_ code: Int32, _ pointer: UnsafeMutablePointer<z_stream>, _ isFull: Bool) -> State {
        switch code {
        case Z_STREAM_END:
            inflateReset(pointer)
            return .ended
        case Z_OK, Z_BUF_ERROR: return isFull ? .outputFull : .needsInput
        default: return .damaged(pointer.pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)")
        }
    }
}

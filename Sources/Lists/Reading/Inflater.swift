import CZlib
import Synchronization

/// Owns one zlib stream and unpacks gzip with it.
///
/// zlib knows a stream by its address, hence the pointer; the lock is what makes it safe to hand on.
final class Inflater: Sendable {
    /// What one call did.
    struct Step {
        var bytes: [UInt8]
        /// Input bytes used up.
        var consumed: Int
        var state: State
    }

    enum State: Hashable {
        /// More output may wait even without more input.
        case full
        case hungry
        /// The member is whole and its check sum right; the next byte begins another one.
        case ended
        case damaged(String)
    }

    private let stream: Mutex<UnsafeMutablePointer<z_stream>>

    /// Nil when there is no memory for it.
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

    /// Unpacks as much as fits into so many bytes.
    func step(_ input: ArraySlice<UInt8>, limit: Int) -> Step {
        stream.withLock { pointer in
            var code = Z_OK
            var consumed = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
                input.withUnsafeBufferPointer { input in
                    pointer.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                    pointer.pointee.avail_in = UInt32(clamping: input.count)
                    pointer.pointee.next_out = output.baseAddress
                    pointer.pointee.avail_out = UInt32(clamping: limit)
                    code = inflate(pointer, Z_NO_FLUSH)
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
        case Z_OK, Z_BUF_ERROR: return isFull ? .full : .hungry
        default: return .damaged(pointer.pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)")
        }
    }
}

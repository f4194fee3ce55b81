import Foundation
import Glibc
import Synchronization
import TestSupport

/// Passes connections on to a port of 127.0.0.1 and holds every byte back for a while, as a long line does.
///
/// Connecting itself takes no longer than on loopback; the system here cannot delay packets (no netem).
final class DelayRelay: Sendable {
    let port: Int
    private let listener: Int32

    /// Listens until the process ends; each way takes half of the round trip.
    init(to target: Int, roundTrip: Duration) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 256) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { Self.accept(on: listener, target: target, delay: roundTrip / 2) }
    }

    private static func accept(on listener: Int32, target: Int, delay: Duration) {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in.loopback(port: target)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else {
                close(client)
                close(server)
                continue
            }
            for descriptor in [client, server] { sendAtOnce(descriptor) }
            pass(from: client, to: server, delay: delay)
            pass(from: server, to: client, delay: delay)
        }
    }

    /// Two threads a direction: one reads and notes the time, one writes when the time has passed.
    private static func pass(from source: Int32, to sink: Int32, delay: Duration) {
        let line = Line()
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = read(source, &bytes, bytes.count)
                line.put(Array(bytes.prefix(max(0, count))), due: .now + delay)
                if count <= 0 { return }
            }
        }
        Thread.detachNewThread {
            while true {
                let (bytes, due) = line.take()
                let wait = ContinuousClock.now.duration(to: due)
                if wait > .zero { usleep(UInt32(wait / .microseconds(1))) }
                guard !bytes.isEmpty, write(bytes, to: sink) else {
                    shutdown(sink, Int32(SHUT_WR))
                    return
                }
            }
        }
    }

    private static func write(_ bytes: [UInt8], to sink: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                send(sink, buffer.baseAddress.map { $0 + done }, bytes.count - done, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private static func sendAtOnce(_ descriptor: Int32) {
        var flag: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &flag, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// What is on its way in one direction.
private final class Line: Sendable {
    private let pieces = Mutex<[([UInt8], ContinuousClock.Instant)]>([])
    private let arrivals = DispatchSemaphore(value: 0)
    /// 16 MiB may be on the way.
    private let room = DispatchSemaphore(value: 256)

    func put(_ bytes: [UInt8], due: ContinuousClock.Instant) {
        room.wait()
        pieces.withLock { $0.append((bytes, due)) }
        arrivals.signal()
    }

    func take() -> ([UInt8], ContinuousClock.Instant) {
        arrivals.wait()
        defer { room.signal() }
        return pieces.withLock { $0.removeFirst() }
    }
}

import AlcedoDemoServer
import Glibc
import TestSupport

/// A listening socket on 127.0.0.1 that takes no more connections: whoever connects hears nothing.
package final class FullListener: Sendable {
    package let port: Int
    private let descriptors: [CInt]

    package init() throws {
        let listener = Self.socket()
        var address = sockaddr_in.loopback(port: 0)
        let isListening = Self.call(Glibc.bind, listener, &address) == 0 && listen(listener, 0) == 0
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) == 0 }
        }
        guard isListening, isNamed else { throw LoopbackError.noPort }
        port = Int(UInt16(bigEndian: address.sin_port))
        // Linux takes one more than the queue's length; the others only fill the half-open queue.
        var all = [listener]
        for _ in 0..<4 {
            let client = Self.socket()
            let flags = fcntl(client, F_GETFL)
            _ = fcntl(client, F_SETFL, flags | O_NONBLOCK)
            _ = Self.call(Glibc.connect, client, &address)
            all.append(client)
        }
        descriptors = all
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    private static func socket() -> CInt { Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }

    private static func call(
        _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt, _ descriptor: CInt, _ address: inout sockaddr_in
    ) -> CInt {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

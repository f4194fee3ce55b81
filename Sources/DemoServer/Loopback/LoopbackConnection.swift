import Glibc

/// A connection of 127.0.0.1, or another stream socket; one task may read while another one writes.
package final class LoopbackConnection: Sendable {
    private let socket: Socket

    /// The largest number of bytes of one read.
    private static let piece = 64 * 1024

    /// Takes over the descriptor of a connected stream socket.
    package convenience init(adopting descriptor: Int32) { self.init(Socket(descriptor)) }

    init(_ socket: Socket) {
        self.socket = socket
        // Fails for other kinds of sockets, which have no such delay.
        var isOn: Int32 = 1
        socket.with { _ = setsockopt($0, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size)) }
    }

    /// Connects to a port of 127.0.0.1.
    package static func connect(port: Int) async throws(ConnectionError) -> LoopbackConnection {
        let descriptor = LoopbackAddress.socket()
        guard descriptor >= 0 else { throw ConnectionError(errno) }
        let socket = Socket(descriptor)
        var isUnderWay = false
        _ = try await socket.attempt(on: .writable) { descriptor in
            if isUnderWay { return LoopbackAddress.pendingError(descriptor) }
            isUnderWay = true
            if LoopbackAddress.call(port: port, { Glibc.connect(descriptor, $0, $1) }) == 0 { return 0 }
            if errno == EINPROGRESS || errno == EINTR { errno = EAGAIN }
            return -1
        }
        return LoopbackConnection(socket)
    }

    /// Returns the next bytes; none when the peer has sent its last.
    package func read() async throws(ConnectionError) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try await socket.attempt(on: .readable) { descriptor in
            var count = 0
            bytes = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, initialized in
                count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                initialized = max(0, count)
            }
            return count
        }
        return bytes
    }

    /// Returns when the system has taken all bytes.
    package func write(_ bytes: [UInt8]) async throws(ConnectionError) { try await write(bytes[...]) }

    /// Returns when the system has taken all bytes.
    package func write(_ bytes: ArraySlice<UInt8>) async throws(ConnectionError) {
        var rest = bytes
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        while !rest.isEmpty {
            let count = try await socket.attempt(on: .writable) { descriptor in
                rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until the peer has ended its sending, even if bytes are still unread, or until this side closes.
    package func hangUp() async throws(ConnectionError) { try await socket.wait(for: .hangUp) }

    /// Tells the peer that nothing more will be sent; reading continues.
    package func finishWriting() { socket.with { _ = shutdown($0, Int32(SHUT_WR)) } }

    /// Closes the connection in an orderly way (FIN).
    package func close() {
        socket.close { descriptor in
            // Unread bytes would turn the end into a reset, which may arrive before the bytes that were sent.
            var bin = [UInt8](repeating: 0, count: Self.piece)
            for _ in 0..<64 where recv(descriptor, &bin, bin.count, Int32(MSG_DONTWAIT)) <= 0 { break }
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Breaks the connection off (RST).
    package func reset() {
        socket.close { descriptor in
            var linger = linger(l_onoff: 1, l_linger: 0)
            _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
    }
}

/// Calls with addresses on 127.0.0.1.
package enum LoopbackAddress {
    /// Returns the descriptor of a new socket, or a negative number.
    package static func socket() -> Int32 {
        Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// Binds a socket to a port that the system chooses, and returns the port; nil if that fails.
    package static func bind(_ descriptor: Int32) -> Int? {
        guard call(port: 0, { Glibc.bind(descriptor, $0, $1) }) == 0 else { return nil }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return code == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }

    /// Passes the address of a port to a system call.
    static func call(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(clamping: port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Returns 0 when a connection was made, else -1 with its error as `errno`.
    static func pendingError(_ descriptor: Int32) -> Int {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return -1 }
        guard code != 0 else { return 0 }
        errno = code
        return -1
    }
}

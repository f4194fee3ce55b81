import NIOCore
import NIOPosix

/// A client that sends text and collects bytes, with no opinion on HTTP.
struct RawClient {
    enum End: Equatable {
        case closed
        case reset
    }

    /// Sends the request, and returns all bytes until the server ends the connection, and how it did.
    static func exchange(_ request: String, port: Int) async throws -> (bytes: [UInt8], end: End) {
        let connection = try await connect(port)
        return try await connection.executeThenClose { inbound, outbound in
            if !request.isEmpty { try await outbound.write(ByteBuffer(string: request)) }
            var bytes: [UInt8] = []
            do {
                for try await piece in inbound { bytes += piece.readableBytesView }
                return (bytes, .closed)
            } catch {
                return (bytes, .reset)
            }
        }
    }

    /// Sends the request and returns the bytes as soon as so many came; then leaves.
    static func beginning(_ request: String, port: Int, count: Int) async throws -> [UInt8] {
        let connection = try await connect(port)
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var bytes: [UInt8] = []
            for try await piece in inbound {
                bytes += piece.readableBytesView
                if bytes.count >= count { break }
            }
            return bytes
        }
    }

    static func get(_ path: String, headers: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n"
    }

    static func connect(_ port: Int) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: "127.0.0.1", port: port) {
            channel in
            channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
        }
    }
}

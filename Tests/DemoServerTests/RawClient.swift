import AlcedoDemoServer

/// A client that sends text and collects bytes, with no opinion on HTTP.
struct RawClient {
    enum End: Equatable {
        case closed
        case reset
    }

    /// Sends the request, and returns all bytes until the server ends the connection, and how it did.
    static func exchange(_ request: String, port: Int) async throws -> (bytes: [UInt8], end: End) {
        let connection = try await connect(port)
        defer { connection.close() }
        try await connection.write(Array(request.utf8))
        return await everything(connection)
    }

    /// Returns all bytes until the server ends the connection, and how it did.
    static func everything(_ connection: LoopbackConnection) async -> (bytes: [UInt8], end: End) {
        var bytes: [UInt8] = []
        do {
            while true {
                let piece = try await connection.read()
                if piece.isEmpty { return (bytes, .closed) }
                bytes += piece
            }
        } catch {
            return (bytes, .reset)
        }
    }

    /// Sends the request and returns the bytes as soon as so many came; then leaves.
    static func beginning(_ request: String, port: Int, count: Int) async throws -> [UInt8] {
        let connection = try await connect(port)
        defer { connection.close() }
        try await connection.write(Array(request.utf8))
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = try await connection.read()
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    static func get(_ path: String, headers: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n"
    }

    static func connect(_ port: Int) async throws -> LoopbackConnection {
        try await LoopbackConnection.connect(port: port)
    }
}

import AlcedoDemoServer
import Foundation
import Glibc

/// A program that speaks TLS in front of a server that does not; see `tls-relay.py`.
package final class TLSRelay: Sendable {
    /// The port of 127.0.0.1 that it listens on.
    package let port: Int
    /// Its standard input and output; it ends when this does.
    private let connection: LoopbackConnection

    private struct Options: Encodable {
        let backend: Int
        let certificate: String
        let key: String
        let protocols: [String]
        let clientRoot: String?
        let minimum: String?
        let maximum: String?
        let sendsCloseNotify: Bool

        // Written by hand, because absent values must be null.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(backend, forKey: .backend)
            try container.encode(certificate, forKey: .certificate)
            try container.encode(key, forKey: .key)
            try container.encode(protocols, forKey: .protocols)
            try container.encode(clientRoot, forKey: .clientRoot)
            try container.encode(minimum, forKey: .minimum)
            try container.encode(maximum, forKey: .maximum)
            try container.encode(sendsCloseNotify, forKey: .sendsCloseNotify)
        }

        private enum CodingKeys: CodingKey {
            case backend, certificate, key, protocols, clientRoot, minimum, maximum, sendsCloseNotify
        }
    }

    private init(port: Int, connection: LoopbackConnection) {
        self.port = port
        self.connection = connection
    }

    /// Starts the program, if TLS is asked for; stops the listener if that fails.
    package static func start(
        _ tls: ServerTLS?, inFrontOf listener: LoopbackListener
    ) async throws(LoopbackError) -> TLSRelay? {
        guard let tls else { return nil }
        do {
            let connection = try launch()
            let options = Options(
                backend: listener.port, certificate: tls.certificatePEM, key: tls.keyPEM, protocols: tls.protocols,
                clientRoot: tls.clientRootPEM, minimum: tls.minimum?.rawValue, maximum: tls.maximum?.rawValue,
                sendsCloseNotify: tls.sendsCloseNotify)
            try await connection.write(Array(JSONEncoder().encode(options)) + [10])
            return TLSRelay(port: try await port(connection), connection: connection)
        } catch {
            await listener.stop()
            throw error as? LoopbackError ?? .cannotListen(reason: "the TLS relay: \(error)")
        }
    }

    /// Ends the program and all its connections, and waits for that.
    package func stop() async {
        connection.finishWriting()
        while let bytes = try? await connection.read(), !bytes.isEmpty {}
        connection.close()
    }

    private static func launch() throws -> LoopbackConnection {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw LoopbackError.cannotListen(reason: String(cString: strerror(errno)))
        }
        let connection = LoopbackConnection(adopting: ends[0])
        let other = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
        defer { close(ends[1]) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "tls-relay.py")
        process.arguments = ["python3", "-I", script.path(percentEncoded: false)]
        process.standardInput = other
        process.standardOutput = other
        try process.run()
        return connection
    }

    private static func port(_ connection: LoopbackConnection) async throws -> Int {
        var text = ""
        while !text.hasSuffix("\n") {
            let bytes = try await connection.read()
            guard !bytes.isEmpty else { throw LoopbackError.cannotListen(reason: "the TLS relay has ended") }
            text += String(decoding: bytes, as: UTF8.self)
        }
        guard let port = Int(text.dropLast()) else { throw LoopbackError.noPort }
        return port
    }
}

import Foundation
import NIOCore
import NIOSSL
import Testing

/// A certificate that vouches for itself, and its key; both made anew for each test.
struct TestIdentity {
    let certificatePEM: String
    let keyPEM: String

    /// Creates the certificate of 127.0.0.1 and `localhost`, or of another host, with the program `openssl`.
    init(isForAnotherHost: Bool = false) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let names = isForAnotherHost ? "DNS:another.invalid" : "DNS:localhost,IP:127.0.0.1"
        process.arguments =
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
            + ["-subj", "/CN=localhost", "-addext", "subjectAltName=\(names)", "-days", "2", "-keyout", "-"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let start = try #require(text.firstRange(of: "-----BEGIN CERTIFICATE-----")?.lowerBound)
        (keyPEM, certificatePEM) = (String(text[..<start]), String(text[start...]))
    }

    /// Puts TLS into a server's connections; `protocols` as in ALPN.
    func serverPreparation(
        protocols: [String] = [], clientRoot: TestIdentity? = nil, maximum: TLSVersion? = nil
    ) throws -> @Sendable (any Channel) throws -> Void {
        let context = try serverContext(protocols: protocols, clientRoot: clientRoot, maximum: maximum)
        return { try $0.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }
    }

    func serverContext(
        protocols: [String] = [], clientRoot: TestIdentity? = nil, maximum: TLSVersion? = nil
    ) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)))
        tls.applicationProtocols = protocols
        tls.maximumTLSVersion = maximum
        if let clientRoot {
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(clientRoot.certificatePEM.utf8)))
            tls.certificateVerification = .noHostnameVerification
        }
        return try NIOSSLContext(configuration: tls)
    }
}

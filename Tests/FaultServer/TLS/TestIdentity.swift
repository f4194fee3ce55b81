import Foundation

/// A certificate and its key, both made anew for each test by the program `openssl`.
package struct TestIdentity: Hashable, Sendable {
    /// The certificate alone.
    package let certificatePEM: String
    package let keyPEM: String
    /// Those that vouch for the certificate, the nearest first, without the root.
    package let intermediatesPEM: String
    private let isSelfSigned: Bool

    /// A problem with the program `openssl`.
    struct Failure: Error {
        let arguments: [String]
    }

    /// Creates a certificate for 127.0.0.1 and `localhost`, or for another host.
    ///
    /// - Parameters:
    ///   - isExpired: It was valid until yesterday.
    ///   - isAuthority: It may vouch for others.
    ///   - issuer: Vouches for it; without one it vouches for itself.
    package init(
        isForAnotherHost: Bool = false, isExpired: Bool = false, isAuthority: Bool = false, issuer: TestIdentity? = nil
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "identity-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }
        try Self.run(
            ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
                + ["-subj", isAuthority ? "/CN=authority \(UUID().uuidString)" : "/CN=localhost"]
                + ["-keyout", path("key"), "-out", path("request")])
        let names = isForAnotherHost ? "DNS:another.invalid" : "DNS:localhost,IP:127.0.0.1"
        // One that vouches for itself must be an authority to be a root.
        let isRoot = issuer == nil || isAuthority
        let extensions =
            "subjectAltName=\(names)\nbasicConstraints=critical,CA:\(isRoot ? "TRUE" : "FALSE")\n"
            + "subjectKeyIdentifier=hash\n"
        try Data(extensions.utf8).write(to: folder.appending(path: "extensions"))
        var signing = ["-signkey", path("key")]
        if let issuer {
            try Data((issuer.keyPEM + issuer.certificatePEM).utf8).write(to: folder.appending(path: "issuer"))
            let serial = UInt32.random(in: 1...(.max))
            signing = ["-CA", path("issuer"), "-CAkey", path("issuer"), "-set_serial", "\(serial)"]
        }
        try Self.run(
            ["x509", "-req", "-in", path("request"), "-days", isExpired ? "-1" : "2", "-extfile", path("extensions")]
                + signing + ["-out", path("certificate")])
        keyPEM = try String(contentsOfFile: path("key"), encoding: .utf8)
        certificatePEM = try String(contentsOfFile: path("certificate"), encoding: .utf8)
        isSelfSigned = issuer == nil
        intermediatesPEM = issuer.map { $0.isSelfSigned ? "" : $0.certificatePEM + $0.intermediatesPEM } ?? ""
    }

    /// The settings of a server that shows this certificate.
    ///
    /// - Parameters:
    ///   - sendsIntermediates: Whether it sends those that vouch for it, too.
    ///   - protocols: The protocols that it offers (ALPN).
    ///   - clientRoot: Vouches for the clients, which must have a certificate.
    ///   - maximum: The newest version of TLS that it offers.
    package func serverTLS(
        sendsIntermediates: Bool = true, protocols: [String] = [], clientRoot: TestIdentity? = nil,
        maximum: ServerTLS.Version? = nil
    ) -> ServerTLS {
        var tls = ServerTLS(
            certificatePEM: certificatePEM + (sendsIntermediates ? intermediatesPEM : ""), keyPEM: keyPEM)
        tls.protocols = protocols
        tls.clientRootPEM = clientRoot?.certificatePEM
        tls.maximum = maximum
        return tls
    }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
    }
}

import NIOSSL

/// The reason why a certificate or key cannot be used.
public struct TLSSettingsProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A message for the user, which contains nothing of the key.
    public let description: String
}

/// The trusted and presented certificates for https; the minimum version is TLS 1.2.
public struct TLSSettings: Sendable {
    private var roots: [NIOSSLCertificate] = []
    private var chain: [NIOSSLCertificate] = []
    private var key: NIOSSLPrivateKey?
    /// Whether every certificate is accepted, which allows anyone in between to read and change all data; false by
    /// default.
    public var isInsecure = false

    public init() {}

    /// Adds the certificates of a PEM text to the system's trusted roots.
    public mutating func addRoots(pem: String) throws(TLSSettingsProblem) {
        roots += try Self.certificates(pem)
    }

    /// Sets the certificate for servers that request one.
    ///
    /// - Parameters:
    ///   - pem: The certificate chain as PEM text, the client's own certificate first.
    ///   - keyPEM: The private key as PEM text.
    /// - Throws: `TLSSettingsProblem` if a certificate or the key cannot be read.
    public mutating func setClientCertificate(chain pem: String, key keyPEM: String) throws(TLSSettingsProblem) {
        chain = try Self.certificates(pem)
        do {
            key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
        } catch {
            throw TLSSettingsProblem(description: "the client certificate's key cannot be read")
        }
    }

    private static func certificates(_ pem: String) throws(TLSSettingsProblem) -> [NIOSSLCertificate] {
        guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !found.isEmpty else {
            throw TLSSettingsProblem(description: "there is no certificate in the text")
        }
        return found
    }

    var configuration: TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.additionalTrustRoots = [.certificates(roots)]
        tls.certificateChain = chain.map { .certificate($0) }
        tls.privateKey = key.map { .privateKey($0) }
        if isInsecure { tls.certificateVerification = .none }
        return tls
    }
}

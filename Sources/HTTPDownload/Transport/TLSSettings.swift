import NIOSSL

/// Why a certificate or key cannot be used.
public struct TLSSettingsProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// For people; says nothing of the key itself.
    public let description: String
}

/// Whom to trust, and what to show, on https; TLS 1.2 is the least that is spoken.
public struct TLSSettings: Sendable {
    private var roots: [NIOSSLCertificate] = []
    private var chain: [NIOSSLCertificate] = []
    private var key: NIOSSLPrivateKey?
    /// Takes any certificate from anyone, so that anyone in between can read and change everything; false by default.
    public var isInsecure = false

    public init() {}

    /// Trusts the certificates of a PEM text besides the system's.
    public mutating func addRoots(pem: String) throws(TLSSettingsProblem) {
        roots += try Self.certificates(pem)
    }

    /// Shows a certificate to servers that ask for one: the chain, its own first, and its key, as PEM texts.
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

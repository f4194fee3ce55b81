import Crypto
import Foundation
import NIOCore
import NIOSSL
import Raster

/// A certificate that vouches for itself, and its key; both made anew for each test.
struct TestIdentity {
    let certificatePEM: String
    let keyPEM: String

    /// For 127.0.0.1 and `localhost`, or for another host.
    init(isForAnotherHost: Bool = false) throws {
        let key = P256.Signing.PrivateKey()
        keyPEM = key.pemRepresentation
        let body = Self.body(publicKey: Array(key.publicKey.derRepresentation), isForAnotherHost)
        let signature = Array(try key.signature(for: body).derRepresentation)
        let whole = DER.sequence(body, Self.algorithm, DER.value(0x03, [0] + signature))
        let options: Data.Base64EncodingOptions = [.lineLength64Characters, .endLineWithLineFeed]
        certificatePEM = """
            -----BEGIN CERTIFICATE-----
            \(Data(whole).base64EncodedString(options: options))
            -----END CERTIFICATE-----

            """
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

    /// The part of a certificate that is signed (RFC 5280, section 4.1).
    private static func body(publicKey: [UInt8], _ isForAnotherHost: Bool) -> [UInt8] {
        let name = DER.sequence(
            DER.value(
                0x31, DER.sequence(DER.value(0x06, [0x55, 0x04, 0x03]), DER.value(0x0C, Array("localhost".utf8)))))
        let validity = DER.sequence(
            DER.value(0x17, Array("000101000000Z".utf8)), DER.value(0x17, Array("491231235959Z".utf8)))
        let names =
            isForAnotherHost
            ? DER.sequence(DER.value(0x82, Array("another.invalid".utf8)))
            : DER.sequence(DER.value(0x82, Array("localhost".utf8)), DER.value(0x87, [127, 0, 0, 1]))
        let extensions = DER.sequence(DER.sequence(DER.value(0x06, [0x55, 0x1D, 0x11]), DER.value(0x04, names)))
        return DER.sequence(
            DER.value(0xA0, DER.value(0x02, [2])), DER.value(0x02, [1]), algorithm, name, validity, name, publicKey,
            DER.value(0xA3, extensions))
    }

    /// ECDSA with SHA-256.
    private static let algorithm = DER.sequence(DER.value(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
}

/// Values in DER (ITU-T X.690).
private enum DER {
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch content.count {
            case ..<0x80: [UInt8(content.count)]
            case ..<0x100: [0x81, UInt8(content.count)]
            default: [0x82, UInt8(content.count >> 8 & 0xFF), UInt8(content.count & 0xFF)]
            }
        return [tag] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap(\.self)) }
}

import FoundationEssentials

/// The reason why a certificate or key cannot be used.
public struct TLSSettingsProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A message for the user, without any part of the key.
    public let description: String
}

/// The certificates that https trusts and presents; the minimum version is TLS 1.2.
public struct TLSSettings: Sendable {
    /// The additional trusted roots as PEM text.
    package private(set) var roots = ""
    /// The own certificate chain and its key as PEM texts; nil for none.
    package private(set) var identity: (chain: PEMBytes, key: PEMBytes)?
    /// Whether every certificate is accepted, which allows anyone in between to read and change all data; false by
    /// default.
    public var isInsecure = false

    /// Creates the default settings.
    public init() {}

    /// Adds the certificates of a PEM text to the system's trusted roots.
    public mutating func addRoots(pem: String) throws(TLSSettingsProblem) {
        try Self.check(pem)
        roots += pem + "\n"
    }

    /// Sets the certificate for servers that request one.
    ///
    /// - Parameters:
    ///   - pem: The certificate chain as PEM text, the client's own certificate first.
    ///   - keyPEM: The private key as PEM text.
    /// - Throws: `TLSSettingsProblem` if a certificate or the key cannot be read.
    public mutating func setClientCertificate(chain pem: String, key keyPEM: String) throws(TLSSettingsProblem) {
        try Self.check(pem)
        guard Self.hasBlock(in: keyPEM, named: "PRIVATE KEY") else {
            throw TLSSettingsProblem(description: "the client certificate's key cannot be read")
        }
        identity = (PEMBytes(pem), PEMBytes(keyPEM))
    }

    private static func check(_ pem: String) throws(TLSSettingsProblem) {
        guard hasBlock(in: pem, named: "CERTIFICATE") else {
            throw TLSSettingsProblem(description: "there is no certificate in the text")
        }
    }

    /// Returns whether a PEM text has a block whose label ends with `name` and whose content is Base64 (RFC 7468).
    private static func hasBlock(in pem: String, named name: String) -> Bool {
        guard let start = pem.firstRange(of: name + "-----"),
            let end = pem[start.upperBound...].firstRange(of: "-----END ")
        else { return false }
        let content = pem[start.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
        return Data(base64Encoded: content).map { $0.first == 0x30 } ?? content.contains(":")
    }
}

/// Certificates and keys as PEM text at a fixed address in memory.
///
/// A bundle of all certificate authorities has 200 KiB. Copying it for each request would be slow.
package final class PEMBytes: Sendable {
    private let address: UInt
    private let count: Int

    package init(_ text: String) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count + 1, alignment: 1)
        memory.copyBytes(from: text.utf8)
        (address, count) = (UInt(bitPattern: memory.baseAddress), text.utf8.count)
    }

    deinit { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }

    /// Calls a function with the bytes, whose address is valid as long as this object lives.
    package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
    }
}

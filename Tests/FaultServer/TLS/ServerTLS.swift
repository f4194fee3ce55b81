/// How a server of tests speaks TLS.
package struct ServerTLS: Hashable, Sendable {
    /// The versions of TLS, by their names in Python.
    package enum Version: String, Sendable {
        case tls10 = "TLSv1"
        case tls11 = "TLSv1_1"
        case tls12 = "TLSv1_2"
        case tls13 = "TLSv1_3"
    }

    /// The server's certificate, followed by those that vouch for it, if it sends them.
    package var certificatePEM: String
    package var keyPEM: String
    /// The protocols that it offers (ALPN); none means no ALPN.
    package var protocols: [String] = []
    /// The root of the certificates that clients must have; nil asks for none.
    package var clientRootPEM: String?
    /// The oldest version; nil is the oldest that OpenSSL offers on its own, or the newest one if that is older.
    package var minimum: Version?
    /// The newest version; nil is the newest that there is.
    package var maximum: Version?
    /// Whether a connection that the server closes ends with `close_notify`, as it should.
    package var sendsCloseNotify = true

    package init(certificatePEM: String, keyPEM: String) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }
}

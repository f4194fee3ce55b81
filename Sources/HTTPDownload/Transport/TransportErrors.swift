import AsyncHTTPClient
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// The conversion of the HTTP client's errors into `DownloadError`.
enum TransportErrors {
    /// Converts an error before the body.
    static func downloadError(from error: any Error, stage: DownloadError.TimeoutStage) -> DownloadError {
        if error is CancellationError { return .cancelled }
        if let error = error as? HTTPClientError { return downloadError(from: error, stage: stage) }
        return .response(.transport(failure(from: error)))
    }

    /// Converts an error within the body, where a lost connection means a truncated body.
    static func downloadError(from error: any Error, received: Int, expected: Int?) -> DownloadError {
        if error is CancellationError { return .cancelled }
        // The parser reports a connection that closes before the body is complete in this way.
        if case .invalidEOFState = error as? HTTPParserError {
            return .response(.truncated(received: received, expected: expected))
        }
        switch failure(from: error) {
        case .tls(let why): return .response(.transport(.tls(why)))
        case .malformedResponse(let why): return .response(.transport(.malformedResponse(why)))
        default: break
        }
        if let error = error as? HTTPClientError, [.cancelled, .deadlineExceeded, .readTimeout].contains(error) {
            return downloadError(from: error, stage: .idle)
        }
        return .response(.truncated(received: received, expected: expected))
    }

    private static func downloadError(from error: HTTPClientError, stage: DownloadError.TimeoutStage) -> DownloadError {
        switch error {
        case .cancelled: .cancelled
        case .deadlineExceeded, .readTimeout: .response(.timedOut(stage))
        case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout: .response(.timedOut(.connect))
        case .remoteConnectionClosed: .response(.transport(.reset))
        case .proxyAuthenticationRequired: .response(.invalidHTTPStatusCode(407, retryAfter: nil))
        case .httpProxyHandshakeTimeout, .socksHandshakeTimeout: .response(.timedOut(.connect))
        case .invalidURL, .emptyHost, .emptyScheme: .request(.invalidURL(error.shortDescription))
        default: .response(.transport(.other(error.shortDescription)))
        }
    }

    private static func failure(from error: any Error) -> DownloadError.TransportFailure {
        switch error {
        case let error as IOError: failure(errno: error.errnoCode)
        case let error as NIOConnectionError: failure(from: error)
        case let error as HTTPParserError: .malformedResponse(text(of: error))
        case is NIOHTTPDecoderError: .malformedResponse("it was not asked for")
        case NIOSSLError.uncleanShutdown, ChannelError.ioOnClosedChannel: .reset
        case is NIOHTTP2Errors.StreamClosed: .reset
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .tls(tlsText(of: error))
        case let error as HTTPClientError where error == .remoteConnectionClosed: .reset
        default: .other(shortText(of: error))
        }
    }

    private static func failure(from error: NIOConnectionError) -> DownloadError.TransportFailure {
        if error.dnsAError != nil || error.dnsAAAAError != nil, error.connectionErrors.isEmpty { return .nameNotFound }
        return error.connectionErrors.first.map { failure(from: $0.error) } ?? .unreachable
    }

    private static func failure(errno code: CInt) -> DownloadError.TransportFailure {
        switch code {
        case ECONNREFUSED: .refused
        case ECONNRESET, ECONNABORTED, EPIPE: .reset
        case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL: .unreachable
        default: .other(String(cString: strerror(code)))
        }
    }

    /// Returns a plain text for the common parser errors and the parser's own text for the others.
    private static func text(of error: HTTPParserError) -> String {
        switch error {
        case .unknown: "it is no HTTP that can be read"
        case .invalidConstant, .invalidVersion: "it is no HTTP"
        case .invalidContentLength: "its length makes no sense"
        case .unexpectedContentLength: "its statements of length contradict each other"
        case .headerOverflow: "its head is too long"
        default: "\(error)"
        }
    }

    /// Returns a plain text for the common TLS errors and the library's name of the others.
    static func tlsText(of error: any Error) -> String {
        let text = String(describing: error)
        for (name, meaning) in tlsMeanings where text.contains(name) { return meaning }
        // BoringSSL names the reason before the place in its source: `…:OPENSSL_internal:UNSUPPORTED_PROTOCOL at /…`.
        guard let reason = text.firstMatch(of: /OPENSSL_internal:([A-Z0-9_]+)/)?.1 else { return shortText(of: error) }
        return reason.lowercased().replacing("_", with: " ")
    }

    private static let tlsMeanings = [
        "CERTIFICATE_VERIFY_FAILED": "the certificate is self-signed, has expired, or is of an unknown authority",
        "failedToValidateHostname": "the certificate is for another host",
        "EOF during handshake": "the server closed the connection during the handshake",
        "WRONG_VERSION_NUMBER": "the server does not use TLS on this port",
        "HTTP_REQUEST": "the server does not use TLS on this port",
    ]

    private static func shortText(of error: any Error) -> String { String(String(describing: error).prefix(160)) }
}

/// A lookup with the system's resolver, because the client's error does not say why a name was not found.
///
/// A name that does not exist is permanent; only a lookup without a response is retried.
enum NameLookup {
    /// Returns whether the name service reports that the name does not exist.
    static func isUnknown(_ host: String) async -> Bool {
        let code = try? await NIOThreadPool.singleton.runIfActive { () -> CInt in
            var found: UnsafeMutablePointer<addrinfo>?
            defer { found.map { freeaddrinfo($0) } }
            return getaddrinfo(host, nil, nil, &found)
        }
        // EAI_NODATA (a name without an address) is -5 in glibc, which does not define the constant by default.
        return code == EAI_NONAME || code == -5
    }
}

/// The text of a status code: `404 Not Found`.
enum StatusPhrase {
    static func text(for code: Int) -> String {
        let phrase = HTTPResponseStatus(statusCode: code).reasonPhrase
        return phrase.isEmpty ? "status \(code)" : "\(code) \(phrase)"
    }
}

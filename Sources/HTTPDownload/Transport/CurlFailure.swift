import AlcedoCCurl
import AlcedoHTTPRequests
import Dispatch
import FoundationEssentials
import Glibc

/// The conversion of a failed transfer of the library into `DownloadError`.
struct CurlFailure {
    let code: CURLcode
    /// The library's text.
    let text: String
    /// The error number of the system, 0 for none.
    let systemError: CInt
    /// The result of OpenSSL's verification, 0 for a valid certificate.
    let verification: Int
    /// The status of the proxy's answer to CONNECT, 0 for none.
    let proxyStatus: Int
    /// Whether any line of an answer was received.
    let hasAnswer: Bool
    /// Whether the request was sent.
    let isSent: Bool
    /// Whether the user chose the interface to connect from.
    var hasInterface = false

    var error: DownloadError {
        switch code {
        case CURLE_URL_MALFORMAT: .request(.invalidURL("it cannot be read"))
        case CURLE_OPERATION_TIMEDOUT: .response(.timedOut(.connect))
        // The library's limit of 100 KiB for one line has the same code.
        case CURLE_OUT_OF_MEMORY where isSent: .response(.transport(.malformedResponse("its head is too long")))
        case CURLE_OUT_OF_MEMORY: .noMemory
        // Only a challenge of the proxy can be answered. Its other statuses say nothing about the picture.
        case _ where proxyStatus == 407 && !isSent: .response(.invalidHTTPStatusCode(407, retryAfter: nil))
        case _ where proxyStatus != 0 && proxyStatus / 100 != 2 && !isSent:
            .response(.transport(.other("it answered \(StatusPhrase.text(for: proxyStatus)) to CONNECT")))
        default: .response(.transport(failure))
        }
    }

    private var failure: DownloadError.TransportFailure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotFound
        case CURLE_INTERFACE_FAILED,
            CURLE_COULDNT_CONNECT where hasInterface && text.contains("bind"):
            .environment("the interface to connect from cannot be used")
        case CURLE_COULDNT_CONNECT: connectFailure
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_NOTFOUND:
            .environment("the certificates of this machine cannot be used: \(text.prefix(120))")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
            CURLE_USE_SSL_FAILED:
            .tls(tlsText)
        case CURLE_WEIRD_SERVER_REPLY where text.contains("Content-Length"):
            .malformedResponse("its length makes no sense")
        case CURLE_WEIRD_SERVER_REPLY where text.contains("colon"):
            .malformedResponse("a line of its head has no colon")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .malformedResponse("it is no HTTP")
        case CURLE_BAD_CONTENT_ENCODING: .malformedResponse("its transfer coding is damaged")
        case CURLE_RECV_ERROR where hasAnswer && systemError == 0 && !text.contains("SSL"):
            .malformedResponse("its framing is damaged")
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
            CURLE_PARTIAL_FILE, CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR:
            .reset
        default: .other(String(text.prefix(160)))
        }
    }

    private var connectFailure: DownloadError.TransportFailure {
        switch systemError {
        case ECONNREFUSED, 0: .refused
        case ECONNRESET, ECONNABORTED, EPIPE: .reset
        case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, ETIMEDOUT, EACCES, EPERM: .unreachable
        default: .other(String(cString: strerror(systemError)))
        }
    }

    /// A plain text for the common failures of TLS, and the library's text for the others.
    private var tlsText: String {
        if let meaning = Self.verifications[verification] { return meaning }
        for (part, meaning) in Self.meanings where text.contains(part) { return meaning }
        // OpenSSL's text: `error:0A000102:SSL routines::unsupported protocol`.
        return String((text.split(separator: "::").last ?? text[...]).prefix(160))
    }

    private static let verifications = [
        9: "the certificate is not valid yet",
        10: "the certificate has expired",
        18: "the certificate is self-signed",
        19: "the certificate comes from an unknown authority, which the server names",
        20: "the certificate comes from an unknown authority, or an intermediate one is missing",
        21: "the certificate comes from an unknown authority, or an intermediate one is missing",
        23: "the certificate was revoked",
        62: "the certificate is for another host",
    ]

    private static let meanings = [
        "does not match target host name": "the certificate is for another host",
        "no alternative certificate subject name matches": "the certificate is for another host",
        "wrong version number": "the server does not use TLS on this port",
        "packet length too long": "the server does not use TLS on this port",
        "http request": "the server does not use TLS on this port",
        "SSL_ERROR_SYSCALL": "the server closed the connection during the handshake",
        "unexpected eof": "the server closed the connection during the handshake",
        "Connection reset by peer": "the server closed the connection during the handshake",
    ]
}

extension DownloadError {
    /// Returns the error for a body that broke after `received` bytes: a lost connection means a truncated body.
    func inBody(received: Int, expected: Int?) -> DownloadError {
        switch self {
        case .response(.transport(.reset)), .response(.transport(.other)):
            .response(.truncated(received: received, expected: expected))
        default: self
        }
    }
}

/// A lookup with the system's resolver, because the library's error does not say why a name was not found.
///
/// A name that does not exist is permanent; only a lookup without a response is retried.
enum NameLookup {
    /// Returns whether the name service reports that the name does not exist; false after 5 s, and if cancelled.
    static func isUnknown(_ host: String) async -> Bool {
        let answers = AsyncStream<Bool>.makeStream()
        DispatchQueue(label: "alcedo.lookup").async {
            var found: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(host, nil, nil, &found)
            found.map { freeaddrinfo($0) }
            // EAI_NODATA (a name without an address) is -5 in glibc, which does not define the constant by default.
            answers.continuation.yield(code == EAI_NONAME || code == -5)
        }
        let timer = TimerQueue.shared.add(after: .seconds(5)) { answers.continuation.finish() }
        defer { timer.cancel() }
        for await isUnknown in answers.stream { return isUnknown }
        return false
    }
}

import AlcedoCCurl
import Glibc
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct CurlFailureTests {
    private func error(
        _ code: CURLcode, text: String = "", system: CInt = 0, verification: Int = 0, proxyStatus: Int = 0,
        hasAnswer: Bool = false, isSent: Bool = false
    ) -> DownloadError {
        CurlFailure(
            code: code, text: text, systemError: system, verification: verification, proxyStatus: proxyStatus,
            hasAnswer: hasAnswer, isSent: isSent
        ).error
    }

    @Test func `a failure to connect is mapped from the system error`() {
        #expect(error(CURLE_COULDNT_CONNECT, system: ECONNREFUSED) == .response(.transport(.refused)))
        #expect(error(CURLE_COULDNT_CONNECT, system: EHOSTUNREACH) == .response(.transport(.unreachable)))
        #expect(error(CURLE_COULDNT_CONNECT, system: ECONNRESET) == .response(.transport(.reset)))
        #expect(error(CURLE_COULDNT_RESOLVE_HOST) == .response(.transport(.nameNotFound)))
        #expect(error(CURLE_OPERATION_TIMEDOUT) == .response(.timedOut(.connect)))
    }

    @Test func `a bad interface is a local fault, a host name containing bind is not`() {
        let text = "Failed to connect to bindery.org port 80"
        #expect(error(CURLE_COULDNT_CONNECT, text: text, system: ECONNREFUSED) == .response(.transport(.refused)))
        let bad = CurlFailure(
            code: CURLE_COULDNT_CONNECT, text: "bind failed with errno 19", systemError: 0, verification: 0,
            proxyStatus: 0, hasAnswer: false, isSent: false, hasInterface: true
        ).error
        #expect(bad == .response(.transport(.environment("the interface to connect from cannot be used"))))
    }

    @Test func `a connection that ends before the body is a reset`() {
        for code in [CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM] {
            #expect(error(code) == .response(.transport(.reset)))
            #expect(error(code).isRetryable)
        }
    }

    @Test func `a connection that ends within the body truncates it`() {
        let lost = error(CURLE_PARTIAL_FILE, hasAnswer: true, isSent: true).inBody(received: 3, expected: 9)
        #expect(lost == .response(.truncated(received: 3, expected: 9)))
        #expect(DownloadError.cancelled.inBody(received: 3, expected: 9) == .cancelled)
        #expect(
            DownloadError.response(.timedOut(.idle)).inBody(received: 3, expected: 9) == .response(.timedOut(.idle)))
    }

    @Test(arguments: [
        (10, "the certificate has expired"), (18, "the certificate is self-signed"),
        (20, "the certificate comes from an unknown authority, or an intermediate one is missing"),
    ])
    func `a certificate fault is permanent and has its reason`(verification: Int, text: String) {
        let error = error(CURLE_PEER_FAILED_VERIFICATION, verification: verification)
        #expect(error == .response(.transport(.tls(text))))
        #expect(!error.isRetryable)
    }

    @Test func `other TLS faults are reported with their text`() {
        let other = error(
            CURLE_PEER_FAILED_VERIFICATION,
            text: "SSL: no alternative certificate subject name matches target host name 'h'")
        #expect(other == .response(.transport(.tls("the certificate is for another host"))))
        let old = error(CURLE_SSL_CONNECT_ERROR, text: "error:0A000102:SSL routines::unsupported protocol")
        #expect(old == .response(.transport(.tls("unsupported protocol"))))
    }

    @Test func `a 407 to CONNECT is a status error, other answers are transport errors`() {
        let forbidden = error(CURLE_RECV_ERROR, proxyStatus: 403)
        #expect(forbidden == .response(.transport(.other("it answered 403 Forbidden to CONNECT"))))
        let refused = error(CURLE_RECV_ERROR, proxyStatus: 407)
        #expect(refused == .response(.invalidHTTPStatusCode(407, retryAfter: nil)))
        #expect(error(CURLE_RECV_ERROR, proxyStatus: 200, isSent: true) == .response(.transport(.reset)))
    }

    @Test func `data other than HTTP is a malformed response and not retryable`() {
        #expect(!error(CURLE_UNSUPPORTED_PROTOCOL).isRetryable)
        #expect(error(CURLE_WEIRD_SERVER_REPLY).title.hasPrefix("malformed answer"))
        #expect(error(CURLE_RECV_ERROR, hasAnswer: true, isSent: true).title.hasPrefix("malformed answer"))
    }

    @Test func `a local fault is not attributed to the host`() {
        let error = error(CURLE_OUT_OF_MEMORY)
        #expect(error == .response(.transport(.environment("there is no memory for the transfer"))))
        #expect(!error.isRetryable)
    }
}

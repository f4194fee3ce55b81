import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct TransportErrorsTests {
    private static func io(_ code: CInt) -> IOError { IOError(errnoCode: code, reason: "test") }

    @Test(
        arguments: [
            (CancellationError(), .cancelled),
            (HTTPClientError.cancelled, .cancelled),
            (HTTPClientError.deadlineExceeded, .response(.timedOut(.head))),
            (HTTPClientError.readTimeout, .response(.timedOut(.head))),
            (HTTPClientError.connectTimeout, .response(.timedOut(.connect))),
            (HTTPClientError.tlsHandshakeTimeout, .response(.timedOut(.connect))),
            (HTTPClientError.remoteConnectionClosed, .response(.transport(.reset))),
            (HTTPClientError.emptyHost, .request(.invalidURL("Empty host"))),
            (io(ECONNREFUSED), .response(.transport(.refused))),
            (io(ECONNRESET), .response(.transport(.reset))),
            (io(EPIPE), .response(.transport(.reset))),
            (io(EHOSTUNREACH), .response(.transport(.unreachable))),
            (NIOSSLError.uncleanShutdown, .response(.transport(.reset))),
            (ChannelError.ioOnClosedChannel, .response(.transport(.reset))),
            (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .cancel), .response(.transport(.reset))),
            (
                HTTPClientError.proxyAuthenticationRequired,
                .response(.invalidHTTPStatusCode(407, retryAfter: nil))
            ),
        ] as [(any Error, DownloadError)])
    func `an error before the body has its own case`(error: any Error, expected: DownloadError) {
        #expect(TransportErrors.downloadError(from: error, stage: .head) == expected)
    }

    @Test(
        arguments: [
            HTTPClientError.remoteConnectionClosed, io(ECONNRESET), HTTPParserError.invalidEOFState,
            NIOSSLError.uncleanShutdown,
        ] as [any Error])
    func `a connection lost within the body cuts it off`(error: any Error) {
        let mapped = TransportErrors.downloadError(from: error, received: 3, expected: 9)
        #expect(mapped == .response(.truncated(received: 3, expected: 9)))
        #expect(mapped.isRetryable)
    }

    @Test func `other errors within the body keep their kind`() {
        func mapped(_ error: any Error) -> DownloadError {
            TransportErrors.downloadError(from: error, received: 3, expected: 9)
        }
        #expect(mapped(CancellationError()) == .cancelled)
        #expect(mapped(HTTPClientError.cancelled) == .cancelled)
        #expect(mapped(HTTPClientError.readTimeout) == .response(.timedOut(.idle)))
        #expect(mapped(HTTPParserError.invalidChunkSize).title.hasPrefix("malformed answer"))
        #expect(!mapped(HTTPParserError.invalidChunkSize).isRetryable)
    }

    @Test func `trouble with the certificate is not worth another try`() {
        let error = TransportErrors.downloadError(from: NIOSSLExtraError.failedToValidateHostname, stage: .head)
        guard case .response(.transport(.tls)) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(!error.isRetryable)
    }
}

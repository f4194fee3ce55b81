import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Whom the downloader trusts on https.
@Suite(.timeLimit(.minutes(1))) struct TLSSettingsTests {
    private let picture: [UInt8]
    private let identity: TestIdentity

    init() throws {
        picture = Array(try Pictures.png())
        identity = try TestIdentity()
    }

    private func outcome(
        tls: ServerTLS,
        _ configure: (inout TLSSettings) throws -> Void = { _ in }
    ) async throws -> Result<Download, DownloadError> {
        try await DownloadStage.play(
            ["/x": [.picture(picture)]], tls: tls, configure: { try configure(&$0.tls) }
        ) { stage in
            await stage.download("https://127.0.0.1:\(stage.server.port)/x")
        }
    }

    private func expectTLSFailure(_ result: Result<Download, DownloadError>) {
        guard case .failure(.response(.transport(.tls))) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(result.error?.isRetryable == false)
    }

    @Test func `an untrusted certificate is refused`() async throws {
        expectTLSFailure(try await outcome(tls: identity.serverTLS()))
    }

    private func reason(_ result: Result<Download, DownloadError>) -> String? {
        if case .response(.transport(.tls(let why)))? = result.error { why } else { nil }
    }

    @Test func `the error gives the reason of a refused certificate`() async throws {
        let selfSigned = try await outcome(tls: identity.serverTLS())
        #expect(reason(selfSigned) == "the certificate is self-signed")
        let expired = try TestIdentity(isExpired: true)
        let late = try await outcome(tls: expired.serverTLS()) { try $0.addRoots(pem: expired.certificatePEM) }
        #expect(reason(late) == "the certificate has expired")
        let root = try TestIdentity(isAuthority: true)
        let leaf = try TestIdentity(issuer: try TestIdentity(isAuthority: true, issuer: root))
        let chain = try await outcome(tls: leaf.serverTLS()) { try $0.addRoots(pem: root.certificatePEM) }
        #expect(try chain.get().data == Data(picture))
        let gap = try await outcome(tls: leaf.serverTLS(sendsIntermediates: false)) {
            try $0.addRoots(pem: root.certificatePEM)
        }
        #expect(reason(gap) == "the certificate comes from an unknown authority, or an intermediate one is missing")
        let other = try TestIdentity(isForAnotherHost: true)
        let wrong = try await outcome(tls: other.serverTLS()) { try $0.addRoots(pem: other.certificatePEM) }
        #expect(reason(wrong) == "the certificate is for another host")
    }

    @Test(arguments: [true, false])
    func `a body without length is accepted over TLS, with or without close_notify`(isAnnounced: Bool)
        async throws
    {
        var tls = identity.serverTLS()
        tls.sendsCloseNotify = isAnnounced
        let result = try await DownloadStage.play(
            ["/x": [.withoutLength(picture)]], tls: tls,
            configure: { try $0.tls.addRoots(pem: identity.certificatePEM) }
        ) { await $0.download("https://127.0.0.1:\($0.server.port)/x") }
        let download = try result.get()
        #expect(download.data == Data(picture))
        #expect(!download.isProvenWhole)
    }

    @Test func `an extra root is trusted`() async throws {
        let result = try await outcome(tls: identity.serverTLS()) {
            try $0.addRoots(pem: identity.certificatePEM)
        }
        #expect(try result.get().data == Data(picture))
    }

    @Test func `a trusted certificate of another host is refused`() async throws {
        let other = try TestIdentity(isForAnotherHost: true)
        expectTLSFailure(
            try await outcome(tls: other.serverTLS()) { try $0.addRoots(pem: other.certificatePEM) })
    }

    @Test func `isInsecure accepts any certificate`() async throws {
        let result = try await outcome(tls: identity.serverTLS()) { $0.isInsecure = true }
        #expect(try result.get().data == Data(picture))
    }

    @Test func `TLS versions before 1.2 are refused`() async throws {
        expectTLSFailure(
            try await outcome(tls: identity.serverTLS(maximum: .tls11)) { $0.isInsecure = true })
    }

    @Test func `a client certificate is sent when requested`() async throws {
        let ours = try TestIdentity()
        let tls = identity.serverTLS(clientRoot: ours)
        let shown = try await outcome(tls: tls) {
            try $0.addRoots(pem: identity.certificatePEM)
            try $0.setClientCertificate(chain: ours.certificatePEM, key: ours.keyPEM)
        }
        #expect(try shown.get().data == Data(picture))
        let hidden = try await outcome(tls: tls) { try $0.addRoots(pem: identity.certificatePEM) }
        #expect(hidden.error != nil)
    }

    @Test func `PEM texts without a certificate or key are an error`() throws {
        var settings = TLSSettings()
        #expect(throws: TLSSettingsProblem.self) { try settings.addRoots(pem: "no certificate") }
        #expect(throws: TLSSettingsProblem.self) {
            try settings.setClientCertificate(chain: identity.certificatePEM, key: "no key")
        }
    }

    @Test func `a redirect from https to http is refused unless allowed`() async throws {
        let plain = try await FaultServer.start(["/y": .picture(picture)])
        for isAllowed in [false, true] {
            let result = try await DownloadStage.play(
                ["/x": [.redirect(to: plain.url("/y"))]], tls: identity.serverTLS(),
                configure: {
                    try $0.tls.addRoots(pem: identity.certificatePEM)
                    $0.limits.allowsDowngrade = isAllowed
                }
            ) { stage in
                await stage.download("https://127.0.0.1:\(stage.server.port)/x") {
                    $0.headers = [HeaderField(name: "X-Key", value: "k")]
                }
            }
            #expect(result.error == (isAllowed ? nil : .response(.redirect(.toInsecure))))
            #expect(await plain.requests.count == (isAllowed ? 1 : 0))
            #expect(await plain.requests.allSatisfy { $0.values(of: "x-key").isEmpty })
        }
        await plain.stop()
    }
}

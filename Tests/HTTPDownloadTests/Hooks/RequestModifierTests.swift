import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1))) struct RequestModifierTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    private struct Signer: RequestModifier {
        // Synchronous, as the requirement allows.
        func modified(_ request: DownloadRequest) -> DownloadRequest? {
            var request = request
            request.headers.append(HeaderField(name: "X-Signature", value: "s"))
            request.headers.append(HeaderField(name: "User-Agent", value: "mine"))
            request.url.append(queryItems: [URLQueryItem(name: "signed", value: "1")])
            return request
        }
    }

    @Test func `the modified request is sent`() async throws {
        try await DownloadStage.play(["/x?signed=1": [.picture(picture)]]) { stage in
            _ = try await stage.download { $0.modifier = Signer() }.get()
            let sent = try #require(await stage.server.requests.first)
            #expect(sent.values(of: "x-signature") == ["s"])
            #expect(sent.values(of: "user-agent") == ["mine"])
        }
    }

    @Test func `a request modifier may suspend`() async throws {
        let gate = Gate()
        await gate.open()
        try await DownloadStage.play(["/x": [.picture(picture)]]) { stage in
            let result = await stage.download {
                $0.modifier = AnyRequestModifier { request in
                    await gate.pass()
                    return request
                }
            }
            #expect(result.error == nil)
        }
    }

    @Test func `a request modifier that returns nil sends nothing`() async throws {
        try await DownloadStage.play(["/x": [.picture(picture)]]) { stage in
            let result = await stage.download { $0.modifier = AnyRequestModifier { _ in nil } }
            #expect(result.error == .request(.emptyRequest))
            #expect(await stage.server.requests.isEmpty)
        }
    }

    @Test func `a modified address that is invalid is refused`() async throws {
        try await DownloadStage.play([:]) { stage in
            let result = await stage.download {
                $0.modifier = AnyRequestModifier { _ in DownloadRequest.picture(URL(filePath: "/etc/passwd")) }
            }
            guard case .request(.invalidURL)? = result.error else {
                Issue.record("\(result)")
                return
            }
        }
    }
}

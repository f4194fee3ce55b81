import Foundation
import Testing

@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct ProxySettingsTests {
    private func host(_ environment: [String: String], _ address: String) throws -> String? {
        try ProxySettings(environment: environment).server(for: try #require(URL(string: address)))?.host
    }

    @Test(
        arguments: [
            (["http_proxy": "p"], "http://h/", "p"), (["http_proxy": "p"], "https://h/", nil),
            (["HTTP_PROXY": "p"], "http://h/", nil), (["https_proxy": "p"], "https://h/", "p"),
            (["HTTPS_PROXY": "p"], "https://h/", "p"), (["https_proxy": "a", "HTTPS_PROXY": "b"], "https://h/", "a"),
            (["all_proxy": "p"], "http://h/", "p"), (["ALL_PROXY": "p"], "https://h/", "p"),
            (["all_proxy": "a", "http_proxy": "b"], "http://h/", "b"), (["http_proxy": ""], "http://h/", nil),
            (["http_proxy": "", "all_proxy": "p"], "http://h/", "p"), ([:], "http://h/", nil),
            (["http_proxy": "p", "no_proxy": "h"], "http://h/", nil),
            (["http_proxy": "p", "NO_PROXY": "h"], "http://h/", nil),
            (["http_proxy": "p", "no_proxy": "g", "NO_PROXY": "h"], "http://h/", "p"),
        ] as [([String: String], String, String?)])
    func `the environment decides the proxy`(environment: [String: String], address: String, proxy: String?) throws {
        #expect(try host(environment, address) == proxy)
    }

    @Test func `an unusable proxy is an error without its password, except for no_proxy hosts`() throws {
        let environment = ["https_proxy": "ftp://ann:geheim@p", "no_proxy": "free"]
        let error = #expect(throws: DownloadError.self) { try host(environment, "https://h/") }
        let text = try #require(error?.title)
        #expect(text.contains("https_proxy"))
        #expect(!text.contains("geheim"))
        #expect(error?.isRetryable == false)
        #expect(try host(environment, "https://free/") == nil)
        #expect(try host(environment, "http://h/") == nil)
    }

    @Test func `one proxy can serve every scheme`() throws {
        let settings = ProxySettings(ProxyServer(host: "p"), exceptions: NoProxyRules("h"))
        #expect(try settings.server(for: try #require(URL(string: "https://g/")))?.host == "p")
        #expect(try settings.server(for: try #require(URL(string: "http://g/")))?.host == "p")
        #expect(try settings.server(for: try #require(URL(string: "http://h/"))) == nil)
    }
}

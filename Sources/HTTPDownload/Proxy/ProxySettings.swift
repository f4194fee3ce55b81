import Foundation

/// Which proxy an address goes through.
public struct ProxySettings: Sendable, Hashable {
    /// A proxy for a scheme, or why the one that was named cannot be used.
    enum Entry: Sendable, Hashable {
        case server(ProxyServer)
        /// Transfers fail: an address that was meant for a proxy is never asked directly.
        case unusable(variable: String, ProxyProblem)
    }

    private(set) var http: Entry?
    private(set) var https: Entry?
    /// Hosts that are asked directly.
    public var exceptions = NoProxyRules()

    /// No proxy; the default.
    public static let none = ProxySettings()

    private init() {}

    /// One proxy for every address but the exceptions.
    public init(_ server: ProxyServer, exceptions: NoProxyRules = NoProxyRules()) {
        (http, https) = (.server(server), .server(server))
        self.exceptions = exceptions
    }

    /// Proxies from the environment: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`, as in curl.
    ///
    /// The lower case wins over the upper case, and `HTTP_PROXY` is not looked at, since a web server may set it from a
    /// visitor's `Proxy` field (CVE-2016-5385). An empty value is none.
    public init(environment: [String: String]) {
        func entry(_ names: String...) -> Entry? {
            for name in names {
                guard let address = environment[name], !address.isEmpty else { continue }
                do throws(ProxyProblem) {
                    return .server(try ProxyServer(address))
                } catch {
                    return .unusable(variable: name, error)
                }
            }
            return nil
        }
        http = entry("http_proxy", "all_proxy", "ALL_PROXY")
        https = entry("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = NoProxyRules(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
    }

    /// The proxy for an address; nil to ask directly.
    func server(for url: URL) throws(DownloadError) -> ProxyServer? {
        guard http != nil || https != nil else { return nil }
        let origin = Origin(url)
        guard let entry = origin.scheme == "https" ? https : http, !exceptions.contains(origin.host, port: origin.port)
        else { return nil }
        switch entry {
        case .server(let server): return server
        case .unusable(let variable, let problem):
            throw .request(.invalidURL("the proxy of \(variable) cannot be used: \(problem)"))
        }
    }
}

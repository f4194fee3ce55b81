import Foundation

/// The proxies for http and https addresses.
public struct ProxySettings: Sendable, Hashable {
    /// A proxy for a scheme, or the reason why its setting cannot be used.
    enum Entry: Sendable, Hashable {
        case server(ProxyServer)
        /// An invalid setting, which fails transfers: they must not bypass a proxy that the user wanted.
        case unusable(variable: String, ProxyProblem)
    }

    private(set) var http: Entry?
    private(set) var https: Entry?
    /// The hosts that are reached without a proxy.
    public var exceptions = NoProxyRules()

    /// The settings without a proxy; the default.
    public static let none = ProxySettings()

    private init() {}

    /// Creates settings with one proxy for every address but the exceptions.
    public init(_ server: ProxyServer, exceptions: NoProxyRules = NoProxyRules()) {
        (http, https) = (.server(server), .server(server))
        self.exceptions = exceptions
    }

    /// Reads the proxies from the environment: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`, as in curl.
    ///
    /// Lower-case names take precedence over upper-case ones. `HTTP_PROXY` is ignored, because a web server may set
    /// it from a client's `Proxy` field (CVE-2016-5385). An empty value means no proxy.
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

    /// Returns the proxy for an address, or nil for a direct connection.
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

import Foundation

/// The credentials that answered challenges in one transfer, by origin or proxy.
struct LearnedCredentials {
    private var origins: [Origin: Credential] = [:]
    private var proxies: [ProxyAddress: Credential] = [:]

    private struct ProxyAddress: Hashable {
        let host: String
        let port: Int
    }

    subscript(url: URL) -> Credential? {
        get { origins.isEmpty ? nil : origins[Origin(url)] }
        set { origins[Origin(url)] = newValue }
    }

    subscript(proxy: ProxyServer) -> Credential? {
        get { proxies[ProxyAddress(host: proxy.host, port: proxy.port)] }
        set { proxies[ProxyAddress(host: proxy.host, port: proxy.port)] = newValue }
    }
}

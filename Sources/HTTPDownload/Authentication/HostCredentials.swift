import Foundation

/// Credentials that are sent unasked, each to its own host only.
public struct HostCredentials: Sendable, Hashable {
    private var hosts: [String: Credential] = [:]
    /// Asked after the hosts above; nil, off, by default.
    public var netrc: NetrcFile?

    public init() {}

    /// The credential of a host: `example.org` for its standard ports, `example.org:8443` for another port.
    public subscript(host: String) -> Credential? {
        get { hosts[host.lowercased()] }
        set { hosts[host.lowercased()] = newValue }
    }

    /// What to send to an address.
    ///
    /// The file's `default` entry is for addresses that the user named, not for those that a redirect leads to.
    func credential(for url: URL, isUsersOwn: Bool) -> Credential? {
        guard !hosts.isEmpty || netrc != nil else { return nil }
        let origin = Origin(url)
        if let named = origin.keys.lazy.compactMap({ hosts[$0] }).first { return named }
        return netrc?.credential(for: origin.host) ?? (isUsersOwn ? netrc?.defaultCredential : nil)
    }
}

import FoundationEssentials

/// Credentials that are sent without a challenge, each to its own host only.
public struct HostCredentials: Sendable, Hashable {
    private var hosts: [String: Credential] = [:]
    /// The netrc file that is used for hosts without a credential of their own; nil (off) by default.
    public var netrc: NetrcFile?

    /// Creates a table without credentials.
    public init() {}

    /// The credential of a host: `example.org` for its standard ports, `example.org:8443` for another port.
    public subscript(host: String) -> Credential? {
        get { hosts[host.lowercased()] }
        set { hosts[host.lowercased()] = newValue }
    }

    /// Returns the credential to send to an address, or nil.
    ///
    /// The `default` entry of the netrc file applies only to addresses that the user named, not to redirect
    /// targets.
    package func credential(for url: URL, isUsersOwn: Bool) -> Credential? {
        guard !hosts.isEmpty || netrc != nil else { return nil }
        let origin = Origin(url)
        if let named = origin.keys.lazy.compactMap({ hosts[$0] }).first { return named }
        return netrc?.credential(for: origin.host) ?? (isUsersOwn ? netrc?.defaultCredential : nil)
    }
}

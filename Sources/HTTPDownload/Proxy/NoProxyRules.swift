/// The hosts that are reached without a proxy, in the format of `no_proxy`.
///
/// Rules are separated by commas or spaces: `example.org` and `.example.org` (the host and its subdomains), either
/// with a `:port`, IP addresses, address blocks (`10.0.0.0/8`), and `*` for all hosts.
public struct NoProxyRules: Sendable, Hashable {
    private enum Rule: Sendable, Hashable {
        case everything
        case name(String, port: Int?)
        case address(IPAddress, port: Int?)
        case block(IPAddress, bits: Int)
    }

    private let rules: [Rule]

    /// Parses the rules and ignores invalid ones; there are none by default.
    public init(_ text: String = "") {
        rules = text.split { $0 == "," || $0.isWhitespace }.compactMap(Self.rule)
    }

    private static func rule(_ word: Substring) -> Rule? {
        if word == "*" { return .everything }
        if let slash = word.firstIndex(of: "/") {
            guard let address = IPAddress(bare(word[..<slash])), let bits = Int(word[word.index(after: slash)...]),
                (0...address.bytes.count * 8).contains(bits)
            else { return nil }
            return .block(address, bits: bits)
        }
        if let address = IPAddress(bare(word)) { return .address(address, port: nil) }
        let (host, port) = split(word)
        if let address = IPAddress(bare(host)) { return .address(address, port: port) }
        let name = host.drop { $0 == "." }
        return name.isEmpty ? nil : .name(normal(name), port: port)
    }

    /// Returns whether the host is reached without a proxy.
    func contains(_ host: String, port: Int) -> Bool {
        let name = Self.normal(host[...])
        let address = IPAddress(Self.bare(name[...]))
        return rules.contains { rule in
            switch rule {
            case .everything: true
            case .name(let suffix, let wanted):
                address == nil && Self.fits(wanted, port) && (name == suffix || name.hasSuffix("." + suffix))
            case .address(let one, let wanted): one == address && Self.fits(wanted, port)
            case .block(let network, let bits): address.map { $0.shares(bits: bits, with: network) } ?? false
            }
        }
    }

    private static func fits(_ wanted: Int?, _ port: Int) -> Bool { wanted == nil || wanted == port }

    private static func split(_ word: Substring) -> (host: Substring, port: Int?) {
        guard let colon = word.lastIndex(of: ":"), let port = Int(word[word.index(after: colon)...]) else {
            return (word, nil)
        }
        return (word[..<colon], port)
    }

    private static func normal(_ host: Substring) -> String {
        (host.hasSuffix(".") ? host.dropLast() : host).lowercased()
    }

    /// Returns the host without the brackets of an IPv6 address.
    private static func bare(_ host: Substring) -> Substring {
        host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
    }
}

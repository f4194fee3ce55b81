import Glibc

/// An IPv4 or IPv6 address, parsed from text.
struct IPAddress: Sendable, Hashable {
    /// The address as 4 or 16 bytes, most significant byte first.
    let bytes: [UInt8]

    init?(_ text: some StringProtocol) {
        let text = String(text)
        if let bytes = Self.bytes(of: text, family: AF_INET, count: 4) {
            self.bytes = bytes
        } else if let bytes = Self.bytes(of: text, family: AF_INET6, count: 16) {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// Returns whether both addresses have the same first bits; false for different families.
    func shares(bits: Int, with other: IPAddress) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        return zip(bytes, other.bytes).enumerated().allSatisfy { index, pair in
            let relevant = min(max(bits - index * 8, 0), 8)
            let mask = relevant == 0 ? 0 : UInt8.max << UInt8(8 - relevant)
            return pair.0 & mask == pair.1 & mask
        }
    }

    private static func bytes(of text: String, family: CInt, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}

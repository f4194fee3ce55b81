/// The candidates of a `srcset` attribute (HTML, 4.8.4.2).
struct SourceSet: Hashable {
    struct Candidate: Hashable {
        var url: String
        /// The width in pixels or the density; 1 when nothing is said.
        var size: Double
    }

    private(set) var candidates: [Candidate] = []

    init(_ text: String) {
        var rest = text[...].utf8
        while true {
            rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
            if rest.isEmpty { return }
            var url = rest.prefix { !$0.isBlank }
            rest = rest[url.endIndex...]
            let isAlone = url.last == UInt8(ascii: ",")
            while url.last == UInt8(ascii: ",") { url.removeLast() }
            let size = isAlone ? 1 : Self.size(&rest)
            candidates.append(Candidate(url: String(Substring(url)), size: size))
        }
    }

    /// The best: the first of the largest.
    var largest: String? { candidates.max { $0.size < $1.size }?.url }

    /// The one that costs least, when there is a choice.
    var smallest: String? { candidates.count > 1 ? candidates.min { $0.size < $1.size }?.url : nil }

    /// Takes the descriptors up to the next comma outside of parentheses.
    private static func size(_ rest: inout Substring.UTF8View) -> Double {
        var depth = 0
        let descriptors = rest.prefix { byte in
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            return byte != UInt8(ascii: ",") || depth > 0
        }
        rest = rest[descriptors.endIndex...]
        let words = Substring(descriptors).split(whereSeparator: \.isWhitespace)
        let number = words.first { $0.hasSuffix("w") || $0.hasSuffix("x") }.flatMap { Double($0.dropLast()) }
        return number.flatMap { $0 > 0 ? $0 : nil } ?? 1
    }
}

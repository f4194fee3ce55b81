import Raster

/// A term of a filter.
package enum FilterTerm: Sendable, Hashable {
    /// `word`, `*.png`, `/folder/*`, `~regex`: a part of the name or address.
    case text(TextPattern)
    /// `host:example.org`, also with a port.
    case host(String)
    /// `type:png`; nil stands for an unknown format (`type:`).
    case format(ImageFormat?)
    /// `status:failed`: the state of an item.
    case status(String)
    /// `status:404` and `status:4xx`: the code of the response.
    case code(ClosedRange<Int>)
    /// `error:timeout`: the kind of the error, or a part of its text.
    case error(String)
    /// `verdict:corrupt`: the result of the check of the pixels.
    case verdict(PictureVerdict)
    /// `color:cmyk`: the colour model.
    case color(ColorFacts.Model)
    /// `alpha:yes`: whether a pixel is transparent.
    case alpha(Bool)
    /// `camera:fuji`: a part of the camera's name, in lower case.
    case camera(String)
    /// `taken:2026-07`: the beginning of the time of capture.
    case taken(String)
    /// `tag:cat`: a tag that the list gives the picture, in lower case.
    case tag(String)
    /// `sha256:9f86d081`: the digest of the bytes begins with these hexadecimal digits, in lower case.
    case digest(String)
    /// `kind:original`: the kind of a cache entry.
    case kind(String)
    /// `state:pinned`: the state of a cache entry.
    case state(EntryState)
    /// `key:35ed`: the name or key of a cache entry.
    case key(String)
    /// `w>1000`, `bytes<=2M`: a number compared with a limit.
    case number(Number, Comparison, Double)
    /// `ratio:16:9`: width divided by height, within 1 %.
    case ratio(Double)
    /// `dup`: another picture has the same bytes.
    case duplicate
    /// `like:6`: another picture has a perceptual hash that differs in at most this many bits.
    case similar(Int)
    /// `mismatch`: the name or the media type contradicts the format.
    case mismatch
    /// `marked`: the user marked the item in the browser.
    case marked

    package enum EntryState: String, Sendable, Hashable, CaseIterable {
        case expired, pinned, damaged
    }

    /// A number of a picture.
    package enum Number: String, Sendable, Hashable, CaseIterable {
        case width = "w"
        case height = "h"
        case megapixels = "mpx"
        case bytes, frames
        /// The seconds since the store of an entry.
        case age
        /// The seconds since the last use of an entry.
        case unused
        /// The uses of an entry.
        case hits
    }

    package enum Comparison: String, Sendable, Hashable, CaseIterable {
        case atLeast = ">="
        case atMost = "<="
        case above = ">"
        case below = "<"

        /// Returns whether a number meets the limit.
        package func holds(_ number: Double, _ limit: Double) -> Bool {
            switch self {
            case .atLeast: number >= limit
            case .atMost: number <= limit
            case .above: number > limit
            case .below: number < limit
            }
        }
    }

    /// The default maximum of the bits by which the hashes of similar pictures differ.
    package static let usualDistance = 10

    /// Returns whether the ratio of a size is within 1 % of another one.
    static func isNear(_ ratio: Double, _ size: PixelSize) -> Bool {
        size.height > 0 && abs(Double(size.width) / Double(size.height) / ratio - 1) <= 0.01
    }

    /// Parses a term.
    ///
    /// - Throws: `FilterProblem` if it is not valid.
    init(_ word: String, in scope: FilterScope) throws(FilterProblem) {
        if word.hasPrefix("~") {
            guard let pattern = TextPattern(regex: String(word.dropFirst())) else {
                throw FilterProblem(term: word, expected: "a regular expression after ~")
            }
            self = .text(pattern)
            return
        }
        guard let term = try Self.fact(word, scope) else {
            if let form = Self.form(of: word, scope) { throw FilterProblem(term: word, expected: form) }
            self = .text(TextPattern(word))
            return
        }
        self = term
    }

    /// Parses a term about a fact; nil for text.
    private static func fact(_ word: String, _ scope: FilterScope) throws(FilterProblem) -> FilterTerm? {
        if word == "dup" { return .duplicate }
        if word == "like" { return .similar(usualDistance) }
        if word == "mismatch" { return .mismatch }
        if word == "marked", scope == .list { return .marked }
        if let term = try number(word, scope) { return term }
        guard let colon = word.firstIndex(of: ":"), let field = FilterField(rawValue: String(word[..<colon])),
            field.scopes.contains(scope)
        else { return nil }
        return try field.term(String(word[word.index(after: colon)...]), in: word, scope)
    }

    private static func number(_ word: String, _ scope: FilterScope) throws(FilterProblem) -> FilterTerm? {
        let name = word.prefix { !"<>".contains($0) }
        guard let number = Number(rawValue: name == "size" ? "bytes" : String(name)), number.isKnown(in: scope) else {
            return nil
        }
        let rest = word.dropFirst(name.count)
        guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else { return nil }
        let text = String(rest.dropFirst(comparison.rawValue.count))
        switch number {
        case .bytes: return .number(number, comparison, Double(try FilterUnits.bytes(text, in: word)))
        case .age, .unused: return .number(number, comparison, try FilterUnits.seconds(text, in: word))
        case .width, .height, .megapixels, .frames, .hits:
            guard let value = Double(text), value.isFinite else {
                throw FilterProblem(term: word, expected: "\(name)\(comparison.rawValue)NUMBER")
            }
            return .number(number, comparison, value)
        }
    }

    /// Returns the valid form of a word that only begins like a term, such as `hits=1`; nil for text.
    ///
    /// The form mentions quotes, because a shell interprets and removes an unquoted `>`.
    private static func form(of word: String, _ scope: FilterScope) -> String? {
        let name = String(word.prefix { !":<>=".contains($0) })
        let number = Number(rawValue: name == "size" ? "bytes" : name)
        if let number, number.isKnown(in: scope), name != word || number.isLeftByShells(in: scope) {
            return "\(number.form), in a shell in quotes"
        }
        guard name != word else { return nil }
        if ["dup", "mismatch"].contains(name) || name == "marked" && scope == .list { return "\(name) alone" }
        guard let field = FilterField(rawValue: name) else { return unknownForm(of: word, name, scope) }
        return field.scopes.contains(scope) ? field.form : "a term other than \(name):, which is not known here"
    }

    /// Returns the known fields if the word begins with an unknown one, as in `format:png` and `width>100`; nil for
    /// text, such as a time or an address with or without a scheme.
    private static func unknownForm(of word: String, _ name: String, _ scope: FilterScope) -> String? {
        let rest = word.dropFirst(name.count)
        guard name.count > 1, name.allSatisfy({ $0.isASCII && $0.isLetter }), rest.count > 1, !rest.hasPrefix("="),
            !rest.hasPrefix(":/"), name != "data", rest.first != ":" || rest.dropFirst().first?.isNumber != true
        else { return nil }
        let fields = FilterField.allCases.filter { $0.scopes.contains(scope) }.map { $0.rawValue + ":" }
        let numbers = Number.allCases.filter { $0.isKnown(in: scope) }.map { $0.rawValue + ">" }
        return "\((fields + numbers).joined(separator: " ")) or a text in quotes"
    }

    static func endsWithNumber(_ word: String) -> Bool {
        let name = word.prefix { !"<>".contains($0) }
        return word.last?.isNumber == true && name != word
            && (name == "size" || Number(rawValue: String(name)) != nil)
    }

    static func isUnit(_ word: String) -> Bool {
        ["B", "K", "M", "G", "T", "KB", "MB", "GB", "TB", "KIB", "MIB", "GIB", "TIB", "S", "H", "D"]
            .contains(word.uppercased())
    }
}

extension FilterTerm.Number {
    /// The columns of a report whose product is the number; of two, in millions.
    var columns: [String] {
        switch self {
        case .width: ["width"]
        case .height: ["height"]
        case .megapixels: ["width", "height"]
        case .bytes, .frames, .age, .unused, .hits: [rawValue]
        }
    }

    func isKnown(in scope: FilterScope) -> Bool {
        switch self {
        case .age, .unused, .hits: scope == .cache
        case .width, .height, .megapixels, .bytes, .frames: true
        }
    }

    /// Returns whether the bare name is probably the rest that a shell leaves of an unquoted `>`, not a word of an
    /// address.
    fileprivate func isLeftByShells(in scope: FilterScope) -> Bool {
        scope == .cache && [.age, .bytes, .hits].contains(self)
    }

    fileprivate var form: String {
        switch self {
        case .bytes: "bytes>SIZE or bytes<SIZE"
        case .age, .unused: "\(rawValue)>TIME or \(rawValue)<TIME"
        case .width, .height, .megapixels, .frames, .hits: "\(rawValue)>NUMBER or \(rawValue)<NUMBER"
        }
    }
}

/// Sizes and times with units.
package enum FilterUnits {
    /// Parses a size with K, M, G or T (powers of 1,024), such as 500K, 1.5M or 2MiB.
    ///
    /// - Parameter term: The term that contains the text; nil if there is none.
    /// - Returns: The size in bytes.
    /// - Throws: `FilterProblem` with the term, or else the text.
    package static func bytes(_ text: String, in term: String? = nil) throws(FilterProblem) -> Int {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).uppercased()
        let units = ["", "K", "M", "G", "T"]
        let power = units.firstIndex { unit == $0 || !$0.isEmpty && (unit == $0 + "B" || unit == $0 + "IB") }
        // A fraction of a byte means that the unit is missing.
        guard let power, let number = Double(digits), number.isFinite, power > 0 || !digits.contains(".") else {
            throw FilterProblem(term: term ?? text, expected: "a size such as 500K or 1.5M")
        }
        let bytes = number * Double(1 << (10 * power))
        return bytes < Double(Int.max) ? Int(bytes) : .max
    }

    /// Parses a duration with s, m, h or d.
    ///
    /// - Parameter term: The term that contains the text; nil if there is none.
    /// - Returns: The duration in seconds.
    /// - Throws: `FilterProblem` with the term, or else the text.
    package static func seconds(_ text: String, in term: String? = nil) throws(FilterProblem) -> Double {
        let factors: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let factor = text.last.flatMap({ factors[$0] }), let number = Double(text.dropLast()), number.isFinite,
            number >= 0
        else { throw FilterProblem(term: term ?? text, expected: "an age such as 12h or 30d") }
        return number * factor
    }
}

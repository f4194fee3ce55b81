import AlcedoHTTPRequests

/// A parser of `WWW-Authenticate` and `Proxy-Authenticate` fields (RFC 9110, sections 11.2 to 11.6).
///
/// Commas separate challenges and also the parameters of one challenge. A word before `=` is a parameter; any other
/// word is a scheme.
struct ChallengeParser {
    // Compiling an expression takes many times as long as a match, so each is made once for all fields.
    private let token = /[!#$%&'*+.^_`|~0-9A-Za-z\-]+/.matchingSemantics(.unicodeScalar)
    private let token68 = #/[-._~+/0-9A-Za-z]+=*/#.matchingSemantics(.unicodeScalar)
    private let quoted = /"((?:[^"\\]|\\.)*)"/.dotMatchesNewlines().matchingSemantics(.unicodeScalar)
    private let escape = /\\(.)/.dotMatchesNewlines().matchingSemantics(.unicodeScalar)
    private let space = #/ [ \t]*/#.matchingSemantics(.unicodeScalar)
    private let separators = /[ \t,]*/.matchingSemantics(.unicodeScalar)
    private let equals = /[ \t]*=[ \t]*/.matchingSemantics(.unicodeScalar)
    private let comma = /[ \t]*,[ \t,]*/.matchingSemantics(.unicodeScalar)
    private let nameEnd = /(?=[ \t,]|\z)/.matchingSemantics(.unicodeScalar)
    private let end = /[ \t]*(?=,|\z)/.matchingSemantics(.unicodeScalar)

    /// Returns the challenges of all fields in order, without the rest of a field after a syntax error.
    static func schemes(in fields: [String]) -> [AuthenticationChallenge.Scheme] {
        fields.flatMap(ChallengeParser().schemes)
    }

    private func schemes(in field: String) -> [AuthenticationChallenge.Scheme] {
        var (found, rest) = ([AuthenticationChallenge.Scheme](), field[...])
        repeat {
            _ = take(separators, from: &rest)
            guard let name = take(token, from: &rest), take(nameEnd, from: &rest) != nil else { break }
            var scheme = AuthenticationChallenge.Scheme(name: name.lowercased())
            if take(space, from: &rest) != nil { readContent(of: &scheme, from: &rest) }
            found.append(scheme)
        } while take(end, from: &rest) != nil
        return found
    }

    private func readContent(of scheme: inout AuthenticationChallenge.Scheme, from rest: inout Substring) {
        var next = rest
        while let name = take(token, from: &next)?.lowercased(), take(equals, from: &next) != nil,
            let value = take(token, from: &next).map(String.init)
                ?? take(quoted, from: &next).map({ String($0.1.replacing(escape) { $0.1 }) })
        {
            // Names are unique within a challenge (section 11.2). If a server repeats one, the first value counts.
            scheme.parameters[name] = scheme.parameters[name] ?? value
            rest = next
            guard take(comma, from: &next) != nil else { return }
        }
        if scheme.parameters.isEmpty { scheme.token = take(token68, from: &rest).map(String.init) }
    }

    /// Removes a match at the beginning of the text and returns it.
    private func take<Output>(_ regex: Regex<Output>, from text: inout Substring) -> Output? {
        guard let match = text.prefixMatch(of: regex) else { return nil }
        text = text[match.range.upperBound...]
        return match.output
    }
}

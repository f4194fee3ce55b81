import AlcedoHTTPRequests

/// A parser of `WWW-Authenticate` and `Proxy-Authenticate` fields (RFC 9110, sections 11.2 to 11.6).
///
/// Commas separate challenges and also the parameters of one challenge. A word before `=` is a parameter; any other
/// word is a scheme.
enum ChallengeParser {
    /// Returns the challenges of all fields in order, without the rest of a field after a syntax error.
    static func schemes(in fields: [String]) -> [AuthenticationChallenge.Scheme] { fields.flatMap(schemes) }

    private static func schemes(in field: String) -> [AuthenticationChallenge.Scheme] {
        var found: [AuthenticationChallenge.Scheme] = []
        var rest = field[...]
        repeat {
            _ = take(/[ \t,]*/, from: &rest)
            guard let name = take(token, from: &rest), take(/(?=[ \t,]|\z)/, from: &rest) != nil else { break }
            var scheme = AuthenticationChallenge.Scheme(name: name.lowercased())
            if take(#/ [ \t]*/#, from: &rest) != nil { readContent(of: &scheme, from: &rest) }
            found.append(scheme)
        } while take(/[ \t]*(?=,|\z)/, from: &rest) != nil
        return found
    }

    private static func readContent(of scheme: inout AuthenticationChallenge.Scheme, from rest: inout Substring) {
        var next = rest
        while let name = take(token, from: &next)?.lowercased(), take(/[ \t]*=[ \t]*/, from: &next) != nil,
            let value = take(token, from: &next).map(String.init) ?? quotedText(from: &next)
        {
            // Names are unique within a challenge (section 11.2). If a server repeats one, the first value counts.
            scheme.parameters[name] = scheme.parameters[name] ?? value
            rest = next
            guard take(/[ \t]*,[ \t,]*/, from: &next) != nil else { return }
        }
        if scheme.parameters.isEmpty { scheme.token = take(#/[-._~+/0-9A-Za-z]+=*/#, from: &rest).map(String.init) }
    }

    private static var token: Regex<Substring> { /[!#$%&'*+.^_`|~0-9A-Za-z\-]+/ }

    private static func quotedText(from text: inout Substring) -> String? {
        let escape = /\\(.)/.dotMatchesNewlines().matchingSemantics(.unicodeScalar)
        return take(/"((?:[^"\\]|\\.)*)"/.dotMatchesNewlines(), from: &text).map {
            String($0.1.replacing(escape) { $0.1 })
        }
    }

    /// Removes a match at the beginning of the text and returns it.
    private static func take<Output>(_ regex: Regex<Output>, from text: inout Substring) -> Output? {
        guard let match = text.prefixMatch(of: regex.matchingSemantics(.unicodeScalar)) else { return nil }
        text = text[match.range.upperBound...]
        return match.output
    }
}

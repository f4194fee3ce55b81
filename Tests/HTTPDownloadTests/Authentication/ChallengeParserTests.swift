import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct ChallengeParserTests {
    private typealias Scheme = AuthenticationChallenge.Scheme

    @Test func `the example of RFC 9110 has two challenges`() {
        // RFC 9110, section 11.6.1.
        let field = #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#
        #expect(
            ChallengeParser.schemes(in: [field]) == [
                Scheme(name: "basic", parameters: ["realm": "simple"]),
                Scheme(name: "newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
            ])
    }

    @Test(
        arguments: [
            ("Basic", [AuthenticationChallenge.Scheme(name: "basic")]),
            ("Negotiate, Basic realm=x", [.init(name: "negotiate"), .init(name: "basic", parameters: ["realm": "x"])]),
            ("Negotiate oYG2MIG==", [.init(name: "negotiate", token: "oYG2MIG==")]),
            ("Negotiate a/b+c=, Basic", [.init(name: "negotiate", token: "a/b+c="), .init(name: "basic")]),
            (
                "BEARER Realm = \"a, b\" ,, scope=s",
                [.init(name: "bearer", parameters: ["realm": "a, b", "scope": "s"])]
            ),
            (", ,Basic realm=\"\"", [.init(name: "basic", parameters: ["realm": ""])]),
            ("Digest qop=\"auth\", qop=\"other\"", [.init(name: "digest", parameters: ["qop": "auth"])]),
        ] as [(String, [AuthenticationChallenge.Scheme])])
    func `schemes, tokens and parameters are distinguished`(field: String, schemes: [AuthenticationChallenge.Scheme]) {
        #expect(ChallengeParser.schemes(in: [field]) == schemes)
    }

    @Test func `several fields are read in their order`() {
        #expect(ChallengeParser.schemes(in: ["Basic", "Bearer"]).map(\.name) == ["basic", "bearer"])
    }

    @Test(arguments: ["", "   ", ",,,", "=x", "\"quoted\"", "Basic\u{1}x"])
    func `an invalid challenge is ignored`(field: String) {
        #expect(ChallengeParser.schemes(in: [field]) == [])
    }

    @Test func `everything after a syntax error in a field is ignored`() {
        #expect(ChallengeParser.schemes(in: ["Basic realm=x, Bearer realm=\"open", "Digest"]).last?.name == "digest")
        #expect(ChallengeParser.schemes(in: ["Basic realm=x; Digest"]).map(\.name) == ["basic"])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `random input never hangs the parser`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let alphabet = Array(#"ab=,"\ \t"#)
        for _ in 0..<3_000 {
            let field = String(
                (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                })
            #expect(ChallengeParser.schemes(in: [field]).allSatisfy { !$0.name.isEmpty })
        }
    }
}

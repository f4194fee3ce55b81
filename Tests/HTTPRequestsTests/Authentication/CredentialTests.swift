import Foundation
import Testing

@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct CredentialTests {
    @Test(
        arguments: [
            (.basic(user: "Aladdin", password: "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (.basic(user: "test", password: "123£"), "Basic dGVzdDoxMjPCow=="),
            (.bearer(token: "mF_9.B5f-4.1JqM"), "Bearer mF_9.B5f-4.1JqM"), (.field("Digest x=1"), "Digest x=1"),
        ] as [(Credential, String)])
    func `the header value depends on the scheme`(credential: Credential, value: String) {
        #expect(credential.fieldValue == value)
    }

    @Test(arguments: [
        ("http://ann:se%20cret@h/", Credential.basic(user: "ann", password: "se cret")),
        ("http://ann@h/", .basic(user: "ann", password: "")), ("http://h/", nil),
    ])
    func `credentials are read from an address`(address: String, credential: Credential?) throws {
        #expect(Credential(userInfoOf: try #require(URL(string: address))) == credential)
    }

    @Test(
        arguments: [
            .basic(user: "ann", password: "geheim"), .bearer(token: "geheim"), .field("geheim"),
        ] as [Credential])
    func `a printed credential shows no secret`(credential: Credential) {
        var dumped = ""
        dump(credential, to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), "\([credential])", dumped] {
            #expect(!text.contains("geheim") && !text.contains("ann"))
        }
    }
}

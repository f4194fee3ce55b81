import Foundation
import Testing

@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct HostCredentialsTests {
    private func credential(
        for address: String, isUsersOwn: Bool = true, _ fill: (inout HostCredentials) throws -> Void
    ) throws -> Credential? {
        var credentials = HostCredentials()
        try fill(&credentials)
        return credentials.credential(for: try #require(URL(string: address)), isUsersOwn: isUsersOwn)
    }

    @Test(arguments: [
        ("https://example.org/a", true), ("http://example.org/a", true), ("https://EXAMPLE.org:443/", true),
        ("https://example.org:8443/", false), ("https://sub.example.org/", false), ("https://example.org.evil/", false),
    ])
    func `a host without a port matches the standard ports`(address: String, isMeant: Bool) throws {
        let found = try credential(for: address) { $0["Example.org"] = .bearer(token: "t") }
        #expect((found != nil) == isMeant)
    }

    @Test func `a host with a port takes precedence`() throws {
        let fill: (inout HostCredentials) -> Void = {
            $0["h"] = .bearer(token: "any")
            $0["h:8443"] = .bearer(token: "port")
            $0["h:443"] = .bearer(token: "standard")
        }
        #expect(try credential(for: "https://h:8443/", fill) == .bearer(token: "port"))
        #expect(try credential(for: "https://h/", fill) == .bearer(token: "standard"))
        #expect(try credential(for: "http://h/", fill) == .bearer(token: "any"))
    }

    @Test func `the netrc file comes after the hosts, and its default is for the user's own addresses only`() throws {
        let fill: (inout HostCredentials) throws -> Void = {
            $0["a"] = .bearer(token: "named")
            $0.netrc = try NetrcFile(
                "machine a login u password p machine b login v password q default login w password r")
        }
        #expect(try credential(for: "http://a/", fill) == .bearer(token: "named"))
        #expect(try credential(for: "http://b/", isUsersOwn: false, fill) == .basic(user: "v", password: "q"))
        #expect(try credential(for: "http://c/", fill) == .basic(user: "w", password: "r"))
        #expect(try credential(for: "http://c/", isUsersOwn: false, fill) == nil)
    }
}

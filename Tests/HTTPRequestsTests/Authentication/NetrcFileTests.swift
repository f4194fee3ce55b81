import Foundation
import TestSupport
import Testing

@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct NetrcFileTests {
    private func problem(_ text: String) -> NetrcProblem? {
        do throws(NetrcProblem) {
            _ = try NetrcFile(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "machine h login u password p", "machine h\n  login u\n\tpassword p\n",
        "machine H account x password p login u",
        "# all of this\nmachine h # the host\nlogin u password p",
        "machine h login \"u\" password \"p\"", "machine g login a password b machine h login u password p",
        "macdef init\nmachine h login evil\npassword x\n\nmachine h login u password p",
        "machine h login incomplete\nmachine h login u password p",
    ])
    func `an entry is found in any layout`(text: String) throws {
        #expect(try NetrcFile(text).credential(for: "h") == .basic(user: "u", password: "p"))
    }

    @Test func `a value may contain any character`() throws {
        let file = try NetrcFile(#"machine h login #u password "a b\"c\\d\n""#)
        #expect(file.credential(for: "h") == .basic(user: "#u", password: "a b\"c\\d\n"))
    }

    @Test func `another host has no entry`() throws {
        let file = try NetrcFile("machine h login u password p")
        #expect(file.credential(for: "sub.h") == nil)
        #expect(file.defaultCredential == nil)
    }

    @Test func `the default entry matches no host by name`() throws {
        let file = try NetrcFile("default login u password p")
        #expect(file.credential(for: "") == nil)
        #expect(file.defaultCredential == .basic(user: "u", password: "p"))
    }

    @Test func `faults are reported without the contents of the file`() {
        #expect(problem("machine h\nlogin u\nsecret p") == .unknownWord(line: 3))
        #expect(problem("login u") == .unknownWord(line: 1))
        #expect(problem("machine h login u password") == .missingValue)
        #expect(problem("machine h\u{0}") == .notText)
        #expect(problem("") == nil)
    }

    @Test func `a missing, oversized or binary file is an error`() throws {
        let place = try TemporaryFolder()
        let missing = place.url.appending(path: "none")
        #expect(throws: NetrcProblem.self) { try NetrcFile(contentsOf: missing) }
        let spaces = [UInt8](repeating: 0x20, count: NetrcFile.sizeLimit + 1)
        let large = URL(filePath: try place.write("large", spaces))
        #expect(throws: NetrcProblem.self) { try NetrcFile(contentsOf: large) }
        let binary = URL(filePath: try place.write("binary", [0x6D, 0xFF, 0xFE]))
        #expect(throws: NetrcProblem.notText) { try NetrcFile(contentsOf: binary) }
    }

    @Test func `a printed netrc file shows no secret`() throws {
        let file = try NetrcFile("machine h login ann password geheim")
        var dumped = ""
        dump(file, to: &dumped)
        #expect(!"\(file) \(String(reflecting: file)) \(dumped)".contains("geheim"))
    }
}

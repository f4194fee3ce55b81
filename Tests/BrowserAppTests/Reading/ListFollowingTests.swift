import Lists
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ListFollowingTests {
    @Test func `a list is followed once however it is written`() {
        var following = ListFollowing()
        #expect(following.refusal(of: "https://host/a.xml", depth: 0) == nil)
        #expect(following.refusal(of: "HTTPS://HOST/a.xml#x", depth: 0) == "a list named before")
    }

    @Test func `lists that lie too deep are not followed`() {
        var following = ListFollowing()
        #expect(following.refusal(of: "https://host/b.xml", depth: 2) == nil)
        #expect(following.refusal(of: "https://host/c.xml", depth: 3) != nil)
    }

    @Test func `no more than so many are followed`() {
        var following = ListFollowing()
        for number in 0..<ListFollowing.countLimit {
            #expect(following.refusal(of: "https://host/\(number).xml", depth: 0) == nil)
        }
        #expect(following.refusal(of: "https://host/more.xml", depth: 0) != nil)
    }

    @Test func `a list from the network names no file`() {
        let page = ListSource.picture("https://host/a.xml")
        let file = ListEntry(line: 1, location: "/etc/passwd")
        #expect(!ListFollowing.mayName(file, in: page))
        #expect(!ListFollowing.mayName(ListEntry(line: 1, location: "https://a/b", alternatives: ["/b"]), in: page))
        #expect(ListFollowing.mayName(ListEntry(line: 1, location: "data:,x"), in: page))
        #expect(ListFollowing.mayName(file, in: .file("/lists/a.xml")))
    }
}

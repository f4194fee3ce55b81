import Lists
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ListFollowingTests {
    private func isFollowed(_ step: ListFollowing.Step) -> Bool { step == .follow }

    @Test func `a list is followed once however it is written`() {
        var following = ListFollowing()
        #expect(following.step(to: "https://host/a.xml", depth: 0) == .follow)
        #expect(following.step(to: "HTTPS://HOST/a.xml#x", depth: 0) == .refuse("a list named before"))
    }

    @Test func `lists that lie too deep are not followed`() {
        var following = ListFollowing()
        #expect(following.step(to: "https://host/b.xml", depth: 2) == .follow)
        #expect(following.step(to: "https://host/c.xml", depth: 3) != .follow)
    }

    @Test func `no more than so many are followed`() {
        var following = ListFollowing()
        for number in 0..<ListFollowing.countLimit {
            #expect(following.step(to: "https://host/\(number).xml", depth: 0) == .follow)
        }
        #expect(following.step(to: "https://host/more.xml", depth: 0) != .follow)
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

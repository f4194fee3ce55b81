import Lists
import Testing

@testable import BrowserApp

@Suite struct ListFollowingTests {
    private func isFollowed(_ step: ListFollowing.Step) -> Bool { step == .follow }

    @Test func aListIsFollowedOnceHoweverItIsWritten() {
        var following = ListFollowing()
        #expect(following.step(to: "https://host/a.xml", depth: 0) == .follow)
        #expect(following.step(to: "HTTPS://HOST/a.xml#x", depth: 0) == .refuse("a list named before"))
    }

    @Test func listsThatLieTooDeepAreNotFollowed() {
        var following = ListFollowing()
        #expect(following.step(to: "https://host/b.xml", depth: 2) == .follow)
        #expect(following.step(to: "https://host/c.xml", depth: 3) != .follow)
    }

    @Test func noMoreThanSoManyAreFollowed() {
        var following = ListFollowing()
        for number in 0..<ListFollowing.countLimit {
            #expect(following.step(to: "https://host/\(number).xml", depth: 0) == .follow)
        }
        #expect(following.step(to: "https://host/more.xml", depth: 0) != .follow)
    }

    @Test func aListFromTheNetworkNamesNoFile() {
        let page = ListSource.picture("https://host/a.xml")
        let file = ListEntry(line: 1, location: "/etc/passwd")
        #expect(!ListFollowing.mayName(file, in: page))
        #expect(!ListFollowing.mayName(ListEntry(line: 1, location: "https://a/b", alternatives: ["/b"]), in: page))
        #expect(ListFollowing.mayName(ListEntry(line: 1, location: "data:,x"), in: page))
        #expect(ListFollowing.mayName(file, in: .file("/lists/a.xml")))
    }
}

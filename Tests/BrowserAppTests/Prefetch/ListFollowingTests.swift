import Lists
import Testing

@testable import BrowserApp

@Suite struct ListFollowingTests {
    private func isFollowed(_ step: ListFollowing.Step) -> Bool { step == .follow }

    @Test func aListIsFollowedOnceHoweverItIsWritten() {
        var following = ListFollowing()
        let file = ListSource.file("/lists/index.xml")
        #expect(following.step(to: "https://host/a.xml", from: file, depth: 0) == .follow)
        #expect(following.step(to: "HTTPS://HOST/a.xml#x", from: file, depth: 0) == .refuse("a list named before"))
    }

    @Test func listsThatLieTooDeepAreNotFollowed() {
        var following = ListFollowing()
        let page = ListSource.picture("https://host/a.xml")
        #expect(following.step(to: "https://host/b.xml", from: page, depth: 2) == .follow)
        #expect(following.step(to: "https://host/c.xml", from: page, depth: 3) != .follow)
    }

    @Test func noMoreThanSoManyAreFollowed() {
        var following = ListFollowing()
        for number in 0..<ListFollowing.countLimit {
            #expect(following.step(to: "https://host/\(number).xml", from: .standardInput, depth: 0) == .follow)
        }
        #expect(following.step(to: "https://host/more.xml", from: .standardInput, depth: 0) != .follow)
    }

    @Test func aListFromTheNetworkNamesNoFile() {
        var following = ListFollowing()
        #expect(following.step(to: "/etc/passwd", from: .picture("https://host/a.xml"), depth: 1) != .follow)
        #expect(following.step(to: "/lists/b.xml", from: .file("/lists/a.xml"), depth: 0) == .follow)
    }
}

import AlcedoLists
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct ListFollowingTests {
    @Test func `equivalent addresses of a list are followed once`() {
        var following = ListFollowing()
        #expect(following.refusal(of: "https://host/a.xml", depth: 0) == nil)
        #expect(following.refusal(of: "HTTPS://HOST/a.xml#x", depth: 0) == "a list named before")
    }

    @Test func `lists nested too deep are not followed`() {
        var following = ListFollowing()
        #expect(following.refusal(of: "https://host/b.xml", depth: 2) == nil)
        #expect(following.refusal(of: "https://host/c.xml", depth: 3) != nil)
    }

    @Test func `the number of followed lists is limited`() {
        var following = ListFollowing()
        for number in 0..<ListFollowing.countLimit {
            #expect(following.refusal(of: "https://host/\(number).xml", depth: 0) == nil)
        }
        #expect(following.refusal(of: "https://host/more.xml", depth: 0) != nil)
    }

    private func entry(_ location: String, isFromNetwork: Bool = true) -> ListEntry {
        var entry = ListEntry(line: 1, location: location)
        entry.isFromNetwork = isFromNetwork
        return entry
    }

    @Test func `a network list may not name files`() {
        #expect(ListFollowing.refusal(of: entry("/etc/passwd")) == ListFollowing.fileReason)
        var mirrored = entry("https://a/b")
        mirrored.alternatives = ["/b"]
        #expect(ListFollowing.refusal(of: mirrored) == ListFollowing.fileReason)
        #expect(ListFollowing.refusal(of: entry("data:,x")) == nil)
        #expect(ListFollowing.refusal(of: entry("/etc/passwd", isFromNetwork: false)) == nil)
    }

    @Test(arguments: [
        ("https://bank.example/logo.png", true), ("http://evil.example:81/a.png", true),
        ("HTTPS://BANK.EXAMPLE/logo.png", true), ("http://evil.example/b.png", false), ("picture 7", false),
        ("picture:7", false),
    ])
    func `a network list may not use an address of another host as key`(key: String, isRefused: Bool) {
        for isFromNetwork in [true, false] {
            var entry = entry("http://evil.example/a.png", isFromNetwork: isFromNetwork)
            entry.key = key
            let reason = isRefused && isFromNetwork ? ListFollowing.keyReason : nil
            #expect(ListFollowing.refusal(of: entry) == reason)
        }
    }
}

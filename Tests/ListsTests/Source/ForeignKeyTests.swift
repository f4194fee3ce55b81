import Testing

@testable import Lists

/// A list from the network must not name cached pictures of other hosts.
@Suite(.timeLimit(.minutes(1))) struct ForeignKeyTests {
    private static let address = "http://evil.example/a.png"

    private func entry(_ fields: [(ListField, String)], base: ListBase) -> (entry: ListEntry, isRefused: Bool) {
        var entry = ListEntry(line: 1, location: "")
        var isRefused = false
        for (field, value) in fields {
            do throws(FieldError) { try entry.set(field, to: .text(value), base: base) } catch { isRefused = true }
        }
        return (entry, isRefused)
    }

    @Test(
        arguments: [
            "https://bank.example/logo.png", "http://evil.example:81/a.png", "HTTPS://BANK.EXAMPLE/logo.png",
        ], [true, false])
    func `an address of another host is no key`(key: String, isKeyFirst: Bool) {
        let fields = [(ListField.key, key), (.url, Self.address)]
        let read = entry(isKeyFirst ? fields : fields.reversed(), base: .web("http://evil.example/list.json"))
        #expect(read.entry.key == nil && read.isRefused && read.entry.location == Self.address)
    }

    @Test(arguments: ["http://evil.example/b.png", "picture 7", "picture:7"])
    func `an address of the same host, and a name, is one`(key: String) {
        let read = entry([(.url, Self.address), (.key, key)], base: .web("http://evil.example/list.json"))
        #expect(read.entry.key == key && !read.isRefused)
    }

    @Test func `a list of the user may name any`() {
        let read = entry([(.url, Self.address), (.key, "https://bank.example/logo.png")], base: .folder("/home/me"))
        #expect(read.entry.key == "https://bank.example/logo.png")
    }
}

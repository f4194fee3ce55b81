import AlcedoLists
import Testing

@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct NameTemplateTests {
    private func path(_ template: String, _ location: String, number: Int = 1) throws -> String {
        let values = NameTemplate.Values(
            location: location, index: 7, key: "00ff00ff00ff00ff", title: "Sea / sky", sha256: "ab12", ext: ".jpg",
            columns: ["author": .string("../Ann/B"), "id": .integer(9_007_199_254_740_993)])
        return try NameTemplate(template).path(of: values, number: number)
    }

    @Test(arguments: [
        ("{name}{ext}", "https://h/2026/a.jpeg?w=80", "a.jpg"), ("{name}{ext}", "https://h/photo.v2", "photo.v2.jpg"),
        ("{stem}{ext}", "https://h/photo.v2", "photo.jpg"), ("{name}{ext}", "https://h/", "h.jpg"),
        ("{name}{ext}", "https://h/d/caf%C3%A9%2Fb.png", "café_b.jpg"),
        ("{name}{ext}", "/p/.hidden.png", "_hidden.jpg"),
        ("{host}/{path}/{name}{ext}", "https://h:8080/x/y%20z/a.png", "h_8080/x/y z/a.jpg"),
        ("{host}/{path}/{name}{ext}", "https://h/..%2F..%2Fetc/a.png", "h/_._.._etc/a.jpg"),
        ("{path}/{stem}", "/photos/2026/a.png", "photos/2026/a"),
        ("{index:4}-{key}", "https://h/a", "0007-00ff00ff00ff00ff"),
        ("{index:1}{ext}", "https://h/a", "7.jpg"), ("{sha256}{ext}", "https://h/a", "ab12.jpg"),
        ("{title}", "https://h/a", "Sea _ sky"), ("{column:id}{ext}", "https://h/a", "9007199254740993.jpg"),
        ("{column:author}/{name}{ext}", "https://h/a", "_._Ann_B/a.jpg"),
        ("{column:none}{ext}", "https://h/a", "_.jpg"),
        ("{{{name}}}{ext}", "https://h/a.png", "{a}.jpg"), ("{name}{ext}", "data:image/png;base64,AAAA", "data.jpg"),
        ("{path}/{name}{ext}", "data:image/png;base64,A/B/C/D", "_/data.jpg"),
        ("{index}{ext}.{name}", "https://h/a%0Ab%2F..%2Fc", "7.jpg.a\u{FFFD}b_.._c"),
        ("{name}{ext}", "https://h/a%0Ab%1B[2J.png", "a\u{FFFD}b\u{FFFD}[2J.jpg"),
    ]) func `fields become a path in the folder`(template: String, location: String, expected: String) throws {
        #expect(try path(template, location) == expected)
    }

    @Test func `a number stands before the extension, or at the end without one`() throws {
        #expect(try path("{name}{ext}", "https://h/a.png", number: 2) == "a-2.jpg")
        #expect(try path("{host}/{name}", "https://h/a.png", number: 12) == "h/a-12")
    }

    @Test func `a name of many bytes is cut before its extension`() throws {
        let long = try path("{name}{ext}", "https://h/\(String(repeating: "é", count: 400)).png", number: 3)
        #expect(long.utf8.count <= 255 && long.hasSuffix("é-3.jpg"))
        let last = try path("{index}{ext}{name}", "https://h/\(String(repeating: "é", count: 400)).png")
        #expect(last.utf8.count <= 255 && last.hasPrefix("7.jpgé"))
    }

    @Test(arguments: [
        ("photos/x", "gives all pictures one name"), ("{nam}", "there is no field {nam}"), ("{name", "has no }"),
        ("{name:3}", "only {index:N}"), ("{index:0}", "only {index:N}"), ("/{name}", "begins or ends with /"),
        ("{host}{ext}", "gives all pictures one name"),
    ]) func `a template that cannot name files is refused`(template: String, reason: String) {
        let problem = #expect(throws: NameTemplate.Problem.self) { try NameTemplate(template) }
        #expect(problem?.text.contains(reason) == true)
    }
}

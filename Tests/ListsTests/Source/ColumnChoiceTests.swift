import AlcedoSupport
import Foundation
import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct ColumnChoiceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func events(_ text: String, address: String? = nil, in name: String = "list.txt") async throws
        -> [ListEvent]
    {
        try folder.write(name, Array(text.utf8))
        var choice = ColumnChoice()
        (choice.address, choice.kept) = (address, .all)
        var found: [ListEvent] = []
        for try await event in ListReader(.file(folder / name), base: .web("http://h/"), columns: choice) {
            found.append(event)
        }
        return found
    }

    private func entry(_ line: Int, _ location: String, _ columns: [String: JSONValue]) -> ListEvent {
        var entry = ListEntry(line: line, location: location)
        entry.columns = columns
        return .entry(entry)
    }

    @Test func `members of an object keep their types, and an identifier of 64 bits keeps its digits`() async throws {
        let found = try await events(
            #"{"url":"a.png","id":9007199254740993,"ok":true,"w":1.5,"by":{"n":["x"]},"no":null}"#)
        #expect(
            found == [
                entry(
                    1, "http://h/a.png",
                    [
                        "id": .integer(9_007_199_254_740_993), "ok": .flag(true), "w": .number(1.5),
                        "by": .object([JSONValue.Member(name: "n", value: .array([.string("x")]))]),
                    ])
            ])
    }

    @Test(arguments: [
        "thing;n\nx/a.png;1\n", "thing\tn\nx/a.png\t1\n", "thing,n\nx/a.png,1\n", #"{"thing":"x/a.png","n":"1"}"#,
        #"[{"thing":"x/a.png","url":"http://h/other.png","n":"1"}]"#, "thing,url,n\nx/a.png,http://h/other.png,1\n",
    ]) func `the column of addresses is the one that the user names`(text: String) async throws {
        let found = try await events(text, address: "thing")
        let entries = found.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
        #expect(entries.map(\.location) == ["http://h/x/a.png"] && found.count == 1)
        #expect(entries[0].columns["n"] == .string("1") && entries[0].columns["thing"] == nil)
    }

    @Test func `a list without that column is refused, an object without it is a bad line`() async throws {
        for text in ["http://h/a.png\n", "url,n\na.png,1\n", "<html><img src=a.png>"] {
            await #expect(throws: ListError.self) { try await events(text, address: "thing") }
        }
        let found = try await events(#"{"url":"a.png"}"# + "\n" + #"{"thing":"b.png"}"#, address: "thing")
        #expect(found == [.rejected(line: 1, reason: "no member 'thing'"), entry(2, "http://h/b.png", [:])])
    }

    @Test func `columns are not read unless they are wanted`() async throws {
        try folder.write("list.csv", Array("url,n\na.png,1\n".utf8))
        for try await event in ListReader(.file(folder / "list.csv"), base: .web("http://h/")) {
            #expect(event == .entry(ListEntry(line: 2, location: "http://h/a.png")))
        }
    }

    @Test func `a value is written as JSON as it was read`() throws {
        let text = #"{"a":[1,-2.5,9007199254740993,null,true],"b":{"c":"\"é\n"}}"#
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(try JSONValue(text[...])), as: UTF8.self) == text)
    }
}

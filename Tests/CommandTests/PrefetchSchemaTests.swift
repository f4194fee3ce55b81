import AlcedoPrefetch
import FaultServer
import Foundation
import TestSupport
import Testing

/// What `prefetch --json` prints, held against `docs/prefetch-events.schema.json`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PrefetchSchemaTests {
    private let schema: JSONSchema

    init() throws {
        schema = try JSONSchema(contentsOf: BuiltProgram.root.appending(path: "docs/prefetch-events.schema.json"))
    }

    private func check(_ result: ProgramResult) {
        #expect(!result.lines.isEmpty)
        for line in result.lines {
            do { try schema.check(line) } catch { Issue.record("\(error) in \(line)") }
        }
    }

    @Test func `every kind of line conforms to the schema`() async throws {
        let place = try Workplace()
        let picture = try Pictures.bytes()
        let server = try await FaultServer.start([
            "/a.webp": [.respond(headers: [("ETag", "\"1\"")], body: picture), .notModified()],
            "/busy.webp": [.unavailable(retryAfter: "1"), .picture(picture)], "/page.webp": [.page()],
        ])
        let full = """
            {"url": "\(server.url("/a.webp?sig=hush"))", "key": "a", "title": "A\\u001b", "tags": ["x"], "process": "bw", "pin": "?"}
            """
        let plain = ["/a.webp", "/a.webp", "/busy.webp", "/page.webp", "/gone.webp"].map {
            "{\"url\": \"\(server.url($0))\"}"
        }
        let list = try place.write(
            ([full] + plain + ["{\"url\": \"ftp://host/a\"}"]).joined(separator: "\n"), to: "l.jsonl")

        let runs = [[], ["--refresh"], ["--dry-run", "--shard", "1/2"], ["--to", "memory+disk"]].map {
            ["prefetch", list, "--json"] + $0
        }
        for arguments in runs { check(try await place.start(arguments).end()) }
        let types = try await place.run("prefetch", list, "--json", "--force").objects().compactMap { $0["type"] }
        await server.stop()
        #expect(Set(types).isSuperset(of: ["start", "item", "rejected", "summary"]))
    }

    @Test func `a name that is no UTF-8 conforms to the schema, with its bytes`() async throws {
        let place = try Workplace()
        let folder = place.path("pictures")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = try place.write(Data(try Pictures.bytes()), to: "a.webp")
        let name = Array("\(folder)/caf".utf8) + [0xE9] + Array(".webp".utf8)
        let isRenamed = (name + [0]).map(CChar.init(bitPattern:)).withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { rename(path, $0) } == 0
        }
        #expect(isRenamed)
        let result = try await place.run("check", folder, "--json")
        check(result)
        let item = try #require(try result.objects("item").first)
        #expect(item["url"]?.hasSuffix("caf\\xE9.webp") == true && item["status"] == "fetched")
        #expect(item["pathBytes"].flatMap { Data(base64Encoded: $0) } == Data(name))
    }

    @Test func `an interrupted and a resumed run conform to the schema`() async throws {
        let place = try Workplace()
        let picture = try Pictures.bytes()
        let server = try await FaultServer.start([
            "/a.webp": [.picture(picture)], "/page.webp": [.page()], "/b.webp": [.stall, .picture(picture)],
        ])
        let list = try place.write(
            ["/a.webp", "/page.webp", "/b.webp"].map(server.url).joined(separator: "\n"), to: "l.txt")

        let program = try place.start(["prefetch", list, "--json", "--jobs", "1"])
        await server.arrival(of: "/b.webp")
        // The third is asked for while the first may still be written down.
        try await eventually("the others have ended") {
            program.output.contains("\"fetched\"") && program.output.contains("\"failed\"")
        }
        program.send(SIGKILL)
        _ = try await program.end()
        let second = try await place.run("prefetch", list, "--json")
        await server.stop()

        check(second)
        let statuses = try second.objects("item").compactMap { $0["status"] }
        #expect(statuses.sorted() == ["failed", "fetched", "skipped"])
        #expect(try second.objects("start").first?.number("resumed") == 2)
        #expect(second.code == 3)
        // What was done is not asked for again, nor what cannot be had.
        #expect(
            await [server.count(of: "/a.webp"), server.count(of: "/page.webp"), server.count(of: "/b.webp")] == [
                1, 1, 2,
            ])
    }

    @Test func `the schema contains each kind of error`() throws {
        for kind in ErrorFacts.Kind.allCases {
            try schema.check(
                #"{"v":1,"type":"item","list":"l","line":1,"url":"u","key":"u","status":"failed","attempts":1,"error":"#
                    + #"{"code":4106,"kind":"\#(kind.rawValue)","text":"t","retryable":false}}"#)
        }
    }

    @Test(arguments: [
        #"{"v":1,"type":"host","host":"a","change":"gone"}"#, #"{"v":2,"type":"host","host":"a","change":"parked"}"#,
        #"{"v":1,"type":"rejected","list":"a","line":-1,"reason":""}"#, #"{"v":1,"type":"else"}"#,
        #"{"v":1,"type":"rejected","list":"a","line":1}"#,
        #"{"v":true,"type":"rejected","list":"a","line":1,"reason":""}"#,
        #"{"v":1,"type":"rejected","list":"a","line":1,"reason":"","more":1}"#, "[]", "1",
    ])
    func `the schema refuses invalid lines`(line: String) {
        #expect(throws: JSONSchema.Problem.self) { try schema.check(line) }
    }
}

import FaultServer
import Foundation
import ImageLoading
import TestSupport
import Testing

/// `alcedo check`: facts without storing anything.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CheckCommandTests {
    /// A PNG of 1 MB whose pixels cannot be compressed.
    private static func large() throws -> [UInt8] { Array(try Pictures.noise(600, 500).pngData()) }

    /// A photo, and the same one with zeros in the middle.
    private static func photos() throws -> (whole: [UInt8], damaged: [UInt8]) {
        let photo = try Pictures.bytes("canyon.jpg")
        var damaged = photo
        for index in 60_000..<60_400 { damaged[index] = 0 }
        return (photo, damaged)
    }

    private func ranged(_ body: [UInt8], _ range: Range<Int>) -> FaultScript {
        .respond(
            206, headers: [("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)")],
            body: Array(body[range]))
    }

    @Test func `check requests the first 64 KiB and reports format, size and length`() async throws {
        let place = try Workplace()
        let body = try Self.large()
        let server = try await FaultServer.start(["/a.jpg": [ranged(body, 0..<65_536)]])
        let result = try await place.run("check", server.url("/a.jpg"), "--json")
        let request = try #require(await server.requests.first)
        await server.stop()

        #expect(request.values(of: "range") == ["bytes=0-65535"])
        let item = try #require(try result.objects("item").first)
        #expect(item["format"] == "PNG" && item.number("width") == 600 && item.number("height") == 500)
        #expect(
            item.number("bytes") == body.count && item["verdict"] == "unchecked" && item["mismatch"] == "name: JPEG")
        #expect(item["sha256"] == nil && item["phash"] == nil)
        #expect(item.object("color")?["model"] == "RGB" && item.object("color")?.number("bits") == 8)
        #expect(try await place.run("cache", "ls").output.isEmpty)
    }

    @Test func `a response that ignores the range is aborted after the first 64 KiB`() async throws {
        let place = try Workplace()
        let body = try Self.large()
        // The rest never comes.
        let head = FaultScript.head(200, [("Content-Length", "\(body.count)")])
        let server = try await FaultServer.start(["/a.png": [FaultScript([.send(head + body.prefix(70_000)), .stall])]])
        let result = try await place.run("check", server.url("/a.png"), "--json")
        await server.stop()
        let item = try #require(try result.objects("item").first)
        #expect(result.code == 0 && item.number("bytes") == body.count && item.number("width") == 600)
    }

    @Test func `check distinguishes a small file, a missing one, a page and a truncated body`() async throws {
        let place = try Workplace()
        let picture = try Pictures.bytes("harbour.gif")
        let small = Array(try Pictures.noise(20, 10).pngData())
        let head = FaultScript.head(200, [("Content-Length", "\(small.count)")])
        let server = try await FaultServer.start([
            "/small.png": [.picture(small)], "/page.png": [.page()], "/long.gif": [ranged(picture, 0..<65_536)],
            "/cut.png": [FaultScript([.send(head + small.prefix(300)), .close])],
        ])
        let list = ["/small.png", "/gone.png", "/page.png", "/long.gif", "/cut.png"].map(server.url)
            .joined(separator: "\n")
        let result = try await place.run("check", try place.write(list, to: "l.txt"), "--json", "--retries", "0")
        await server.stop()

        let items = try result.objects("item").sorted { ($0.number("line") ?? 0) < ($1.number("line") ?? 0) }
        #expect(
            result.code == 3
                && items.compactMap { $0["status"] } == ["fetched", "failed", "failed", "fetched", "failed"])
        #expect(items[0].number("bytes") == small.count && items[0].number("frames") == 1)
        #expect(items[1].number("http") == 404)
        // The number of frames is at the end of a GIF.
        #expect(items[3]["format"] == "GIF" && items[3].number("frames") == nil)
        #expect(items[4].object("error")?["kind"] == "response" || items[4].object("error")?["kind"] == "transport")
    }

    @Test func `a full check decodes each picture and stores nothing`() async throws {
        let place = try Workplace()
        let (photo, damaged) = try Self.photos()
        let server = try await FaultServer.start([
            "/a.jpg": .picture(photo, type: "image/jpeg"), "/b.jpg": .picture(damaged, type: "image/jpeg"),
        ])
        let list = ["/a.jpg", "/b.jpg"].map(server.url).joined(separator: "\n")
        let result = try await place.run("check", try place.write(list, to: "l.txt"), "--full", "--json")
        await server.stop()
        let items = try result.objects("item").sorted { ($0.number("line") ?? 0) < ($1.number("line") ?? 0) }
        #expect(items[0]["verdict"] == "whole" && items[0]["phash"] != nil && items[0]["sha256"]?.count == 64)
        #expect(items[1]["status"] == "failed" && items[1].object("error")?["kind"] == "corrupt")
        // What is known about refused bytes is told, so that filters and reports find them.
        #expect(items[1]["verdict"] == "corrupt" && items[1]["format"] == "JPEG" && items[1].number("http") == 200)
        #expect(items[1].number("width") == 1500 && items[1].number("bytes") == damaged.count)
        #expect(items[1]["contentType"] == "image/jpeg" && items[1]["sha256"] != nil && items[1]["phash"] != nil)
        #expect(try await place.run("cache", "ls").output.isEmpty)
    }

    @Test func `a server with broken range support is asked for the whole file`() async throws {
        let place = try Workplace()
        let small = Array(try Pictures.noise(20, 10).pngData())
        let server = try await FaultServer.start([
            "/416.png": [.status(416), .picture(small)], "/206.png": [.respond(206, body: small), .picture(small)],
        ])
        let list = ["/416.png", "/206.png"].map(server.url).joined(separator: "\n")
        let result = try await place.run("check", try place.write(list, to: "l.txt"), "--json", "--retries", "0")
        let ranges = await server.requests.flatMap { $0.values(of: "range") }
        await server.stop()
        #expect(result.code == 0 && ranges.count == 2)
        #expect(try result.objects("item").allSatisfy { $0.number("width") == 20 })
    }

    @Test func `any length above the limit is too large`() async throws {
        let place = try Workplace()
        let body = Array(try Pictures.noise(20, 10).pngData())
        let huge = FaultScript.respond(
            206, headers: [("Content-Range", "bytes 0-\(body.count - 1)/9223372036854775807")], body: body)
        let server = try await FaultServer.start(["/a.png": [huge], "/b.png": [huge]])
        let list = ["/a.png", "/b.png"].map(server.url).joined(separator: "\n")
        let result = try await place.run("check", try place.write(list, to: "l.txt"), "--json", "--retries", "0")
        await server.stop()
        #expect(result.code == 4 && result.output.contains("--max-size"))
    }

    @Test func `a truncated file fails in a short check, too`() async throws {
        let place = try Workplace()
        let picture = Array(try Pictures.asset("volcano.jpg").prefix(20_000))
        let server = try await FaultServer.start(["/a.jpg": .picture(picture, type: "image/jpeg")])
        for option in ["--no-resume", "--full"] {
            let result = try await place.run("check", server.url("/a.jpg"), "--json", "--retries", "0", option)
            #expect(result.code == 4 && result.output.contains("\"kind\":\"incomplete\""), "\(option)")
        }
        await server.stop()
    }

    @Test func `a file that lacks only its end mark is whole`() async throws {
        let place = try Workplace()
        let picture = Array(try Pictures.asset("volcano.jpg").dropLast(2))
        let server = try await FaultServer.start(["/a.jpg": .picture(picture, type: "image/jpeg")])
        let result = try await place.run("check", server.url("/a.jpg"), "--json", "--retries", "0")
        await server.stop()
        let item = try #require(try result.objects("item").first)
        #expect(result.code == 0 && item["verdict"] == "whole")
    }

    @Test func `a report may not replace a list of the run`() async throws {
        let place = try Workplace()
        let list = try place.write("http://127.0.0.1:9/a.jpg\n", to: "l.csv")
        let result = try await place.run("check", list, "--report", list)
        #expect(result.code == 1 && result.errors.contains("choose another file for the report"))
        #expect(try String(contentsOfFile: list, encoding: .utf8).contains("127.0.0.1"))
    }

    @Test(arguments: ["csv", "jsonl", "html"]) func `a report has a row for each picture, including failed ones`(
        form: String
    ) async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.jpg": .picture(try Pictures.bytes("canyon.jpg"))])
        let list = ["/a.jpg", "/gone.jpg"].map(server.url).joined(separator: "\n")
        let path = place.path("r.\(form)")
        let result = try await place.run("check", try place.write(list, to: "l.txt"), "--report", path)
        let bad = try await place.run("check", server.url("/a.jpg"), "--report", place.path("r.txt"))
        await server.stop()
        let report = try String(contentsOfFile: path, encoding: .utf8)
        #expect(result.code == 3 && report.contains("a.jpg") && report.contains("404 Not Found"))
        #expect(!FileManager.default.fileExists(atPath: path + ".part"))
        #expect(bad.code == 1 && bad.errors.contains("a report is a .jsonl, .csv or .html file"))
        guard form == "jsonl" else { return }
        let second = try await place.run("report", path, "-o", place.path("s.html"))
        #expect(second.code == 0 && FileManager.default.fileExists(atPath: place.path("s.html")))
        // The filter reads the lines twice.
        let piped = try await place.run("report", "-", "-o", place.path("p.csv"), "--where", "!dup", input: report)
        let rows = try String(contentsOfFile: place.path("p.csv"), encoding: .utf8)
        #expect(piped.code == 0 && rows.contains("a.jpg") && rows.contains("404 Not Found"))
    }

    @Test func `a report has a limited number of thumbnails, also of damaged and cached pictures`() async throws {
        let place = try Workplace()
        let (photo, damaged) = try Self.photos()
        let server = try await FaultServer.start([
            "/a.jpg": .picture(photo, type: "image/jpeg"), "/b.jpg": .picture(damaged, type: "image/jpeg"),
        ])
        let list = try place.write(["/a.jpg", "/b.jpg"].map(server.url).joined(separator: "\n"), to: "l.txt")
        let mark = "\"data:image/jpeg;base64,/9j/"
        for (report, options, count) in [
            ("1.html", [], 2), ("2.html", ["--report-thumbnails", "1"], 1), ("3.csv", [], 0),
        ] {
            let file = place.path(report)
            _ = try await place.start(["prefetch", list, "--no-resume", "--report", file, "--retries", "0"] + options)
                .end()
            #expect(try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: mark).count == count + 1)
        }
        await server.stop()
    }

    @Test func `a picture that was cached lately is not requested and its facts come from the cache`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.jpg": .picture(try Pictures.bytes("canyon.jpg"))])
        _ = try await place.run("prefetch", server.url("/a.jpg"))
        let result = try await place.run("check", server.url("/a.jpg"), "--json", "--max-age", "1d")
        #expect(await server.requests.count == 1)
        let item = try #require(try result.objects("item").first)
        #expect(item["status"] == "hit" && item["verdict"] == "whole" && item["phash"] != nil)
        let text = try await place.run("check", server.url("/a.jpg"), "--force")
        await server.stop()
        #expect(text.errors.contains("checked 1") && !text.errors.contains("fetched"))
    }

    @Test func `after failures the summary suggests check, not prefetch`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.jpg": .status(404)])
        let list = try place.write(server.url("/a.jpg"), to: "l.txt")
        let result = try await place.run("check", list, "--full", "--failed", place.path("f.txt"))
        await server.stop()
        #expect(result.errors.contains("alcedo check --full") && !result.errors.contains("alcedo prefetch"))
    }
}

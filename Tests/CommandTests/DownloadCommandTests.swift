import FaultServer
import Foundation
import TestSupport
import Testing

/// `alcedo download`: files in a folder, with a manifest.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DownloadCommandTests {
    private let place: Workplace
    private var folder: String { place.path("out") }

    init() throws { place = try Workplace() }

    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".") }.sorted()
    }

    private func manifest() throws -> [[String: Any]] {
        try String(contentsOfFile: folder + "/manifest.jsonl", encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `a second run asks no server for what is there, also without the cache`() async throws {
        let body = try Pictures.bytes()
        let server = try await FaultServer.start([
            "/x/a.webp": .picture(body), "/y/a.webp": .picture(body), "/b": .picture(body), "/c.webp": .status(404),
        ])
        let list = try place.write(
            ["/x/a.webp", "/y/a.webp", "/b", "/c.webp"].map { server.url($0) + "\n" }.joined(), to: "list.txt")
        let first = try await place.run("download", list, "-o", folder, "--no-cache")
        let asked = await server.requests.count
        let second = try await place.run("download", list, "-o", folder, "--no-cache", "--json")
        let askedAgain = await server.requests.dropFirst(asked).map(\.path)
        await server.stop()

        #expect([first.code, second.code] == [3, 3])
        #expect(try files() == ["a-2.webp", "a.webp", "b.webp", "manifest.jsonl"])
        #expect(askedAgain == ["/c.webp"])
        #expect(try manifest().compactMap { $0["file"] as? String }.sorted() == ["a-2.webp", "a.webp", "b.webp"])
        let bytes = try Data(contentsOf: URL(filePath: folder + "/a.webp"))
        #expect(bytes == Data(body))
    }

    @Test func `--refresh replaces a picture that changed, and nothing else`() async throws {
        let (one, other) = (try Pictures.bytes(), try Pictures.bytes() + [0])
        let first = try await FaultServer.start(["/a.webp": .picture(one)])
        let entry = { (server: FaultServer) in "{\"url\":\"\(server.url("/a.webp"))\",\"key\":\"a\"}\n" }
        let old = try place.write(entry(first), to: "old.jsonl")
        _ = try await place.run("download", old, "-o", folder, "--no-cache")
        await first.stop()
        let second = try await FaultServer.start(["/a.webp": .picture(other)])
        let new = try place.write(entry(second), to: "new.jsonl")
        _ = try await place.run("download", new, "-o", folder, "--no-cache")
        let kept = try Data(contentsOf: URL(filePath: folder + "/a.webp"))
        _ = try await place.run("download", new, "-o", folder, "--no-cache", "--refresh")
        await second.stop()

        #expect(kept == Data(one))
        #expect(try Data(contentsOf: URL(filePath: folder + "/a.webp")) == Data(other))
        #expect(try files() == ["a.webp", "manifest.jsonl"])
    }

    @Test func `files go into folders by the template, and a wrong template is a usage error`() async throws {
        let server = try await FaultServer.start(["/2026/a.webp": .picture(try Pictures.bytes())])
        let address = server.url("/2026/a.webp")
        let result = try await place.run("download", address, "-o", folder, "--name", "{path}/{index:3}-{name}{ext}")
        let wrong = try await place.run("download", address, "-o", folder, "--name", "{nam}{ext}")
        await server.stop()
        #expect([result.code, wrong.code] == [0, 2])
        #expect(try files() == ["2026/001-a.webp", "manifest.jsonl"])
        #expect(wrong.everything.contains("--name there is no field {nam}; there are {host}"))
    }

    @Test func `pictures are processed on their way, with the columns of their table`() async throws {
        let server = try await FaultServer.start([
            "/a": .picture(try Pictures.bytes()), "/b": .picture(try Pictures.bytes()), "/c": .status(404),
        ])
        let rows = ["/a": "the sea,7", "/b": "\"a, b\",8", "/c": "gone,9"].map { "\(server.url($0)),\($1)\n" }.sorted()
        let list = try place.write("photo,words,id\n" + rows.joined(), to: "list.csv")
        let arguments = [
            "download", list, "-o", folder, "--url-column", "photo", "--caption-column", "words", "--process",
            "resize(8x8, fill) |> crop(8x8)", "--encode", "jpg:80", "--name", "{column:id}{ext}", "--json", "--failed",
            place.path("failed.txt"),
        ]
        let first = try await place.start(arguments).end()
        let second = try await place.start(arguments).end()
        let failed = try await place.run(
            "prefetch", place.path("failed.txt"), "--to", "tar:\(place.path("tar"))", "--encode", "png", "--json")
        await server.stop()

        #expect([first.code, second.code, failed.code] == [3, 3, 4])
        #expect(try files() == ["7.jpg", "8.jpg", "manifest.jsonl"])
        let line = try #require(try manifest().first { $0["file"] as? String == "8.jpg" })
        #expect(line["columns"] as? [String: String] == ["words": "a, b", "id": "8"])
        let written = try #require(line["written"] as? [String: Any])
        #expect(written["width"] as? Int == 8 && written["format"] as? String == "JPEG")
        #expect(try Data(contentsOf: URL(filePath: folder + "/8.jpg")).prefix(2) == Data([0xFF, 0xD8]))
        #expect(second.output.contains("\"skipped\":2"))
        #expect(failed.output.contains("\"words\":\"gone\""))
    }

    @Test(arguments: [
        (["prefetch", "x", "--encode", "png"], "--encode needs a folder"),
        (["download", "x", "-o", "y", "--encode", "avif"], "--encode takes jpg, webp, png or gif"),
        (["download", "x", "-o", "y", "--process", "bw", "--process", "blur(1)"], "give --process once"),
    ]) func `a wrong way out is a usage error`(arguments: [String], text: String) async throws {
        let result = try await place.start(arguments).end()
        #expect(result.code == 2 && result.everything.contains(text))
    }

    @Test func `--keep leaves pictures out and says why, --reject fails them`() async throws {
        let server = try await FaultServer.start([
            "/a.webp": .picture(try Pictures.bytes()), "/b.webp": .picture(try Pictures.bytes()),
        ])
        let list = try place.write(["/a.webp", "/b.webp"].map { server.url($0) + "\n" }.joined(), to: "list.txt")
        let kept = try await place.run("download", list, "-o", folder, "--keep", "*b.webp", "--json")
        let failed = place.path("failed.txt")
        let rejected = try await place.run(
            "download", list, "-o", place.path("other"), "--reject", "*b.webp", "--failed", failed)
        let wrong = try await place.run("download", list, "-o", folder, "--keep", "dup")
        await server.stop()

        #expect([kept.code, rejected.code, wrong.code] == [0, 3, 2])
        #expect(try files() == ["b.webp", "manifest.jsonl"])
        #expect(kept.output.contains(#""because":"*b.webp""#) && kept.output.contains(#""leftOut":1"#))
        let failures = try String(contentsOfFile: failed, encoding: .utf8)
        #expect(failures.contains("# rejected: *b.webp") && failures.contains("/b.webp"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.path("other")).sorted() == [
                "a.webp", "manifest.jsonl",
            ])
        #expect(wrong.everything.contains("--keep takes no dup"))
    }

    @Test func `a folder that cannot be written is an error of the run`() async throws {
        let result = try await place.run("download", "http://127.0.0.1:1/a.webp", "-o", "/proc/out")
        #expect(result.code == 1 && result.everything.contains("cannot create the folder /proc/out"))
    }
}

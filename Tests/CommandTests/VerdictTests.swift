import FaultServer
import Foundation
import TestSupport
import Testing

/// Damaged files have the same verdict in every command.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct VerdictTests {
    enum Fault: CaseIterable {
        case none, noEnd, cut, corrupt

        func file() throws -> Data {
            var data = try Pictures.asset("eclipse.png")
            switch self {
            case .none: break
            case .noEnd: data = data.dropLast(12)
            case .cut: data = data.prefix(data.count / 2)
            case .corrupt: data[data.count / 2] ^= 1
            }
            return Data(data)
        }

        /// The kind of the failure in `prefetch`; nil if the file is kept.
        var kind: String? {
            switch self {
            case .none, .noEnd: nil
            case .cut: "incomplete"
            case .corrupt: "corrupt"
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func `prefetch stores a file with all its pixels and reports the fault of others`(fault: Fault) async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.png": .picture(Array(try fault.file()))])

        let result = try await place.run("prefetch", server.url("/a.png"), "--json", "--retries", "0")
        let listing = try await place.run("cache", "ls", "--json")
        await server.stop()

        #expect(result.code == (fault.kind == nil ? 0 : 4))
        let item = try #require(try result.objects("item").first)
        #expect(item.object("error")?["kind"] == fault.kind)
        if fault.kind == nil {
            #expect(item["format"] == "PNG" && item["verdict"] == "whole")
            #expect(item.object("color")?["model"] == "RGB" && item.object("color")?.number("bits") == 16)
            #expect(item.number("width") == 640 && item.number("height") == 480 && item.number("frames") == 1)
        }
        #expect(listing.output.isEmpty == (fault.kind != nil))
    }

    @Test(arguments: [Fault.cut, .corrupt])
    func `--keep-damaged stores damaged files`(fault: Fault) async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.png": .picture(Array(try fault.file()))])

        let result = try await place.run("prefetch", server.url("/a.png"), "--json", "--keep-damaged")
        let shown = try await place.run("show", "--format", "ppm", server.url("/a.png"))
        let listing = try await place.run("cache", "ls", "--json")
        await server.stop()

        #expect(result.code == 0)
        #expect(try result.objects("item").first?["verdict"] == fault.kind)
        // Showing it does not remove it.
        let kind = try #require(fault.kind)
        #expect(shown.code == 0 && shown.errors.contains(": \(kind): "))
        #expect(!listing.output.isEmpty)
    }

    @Test func `--accept restricts prefetch to some formats or allows any`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.png": .picture(Array(try Fault.none.file())),
            "/b.html": .picture(Array("<html>no picture</html>".utf8)),
        ])
        let list = try place.write("\(server.url("/a.png"))\n\(server.url("/b.html"))\n", to: "list.txt")

        let narrow = try await place.run("prefetch", list, "--json", "--accept", "jpg, webp")
        let pictures = try await place.run("prefetch", list, "--json")
        let all = try await place.run("prefetch", list, "--json", "--accept", "any")
        let after = try await place.run("prefetch", list, "--json")
        let wrong = try await place.run("prefetch", list, "--accept", "doc")
        await server.stop()

        #expect(narrow.code == 4 && narrow.output.contains("PNG is not accepted"))
        #expect(pictures.code == 3 && pictures.output.contains("not an image: HTML"))
        #expect(all.code == 0 && wrong.code == 2)
        // What is cached must be accepted, too.
        #expect(after.code == 3 && after.output.contains("not an image: HTML"))
        #expect(try all.objects("item").compactMap { $0["verdict"] }.sorted() == ["unreadable", "whole"])
    }

    @Test func `prefetch stores a picture beyond the limits without decoding it`() async throws {
        let place = try Workplace()
        // 1200 × 900 pixels.
        let server = try await FaultServer.start(["/a.jpg": .picture(Array(try Pictures.asset("coral.jpg")))])

        let result = try await place.run("prefetch", server.url("/a.jpg"), "--json", "--max-pixels", "1")
        let again = try await place.run("prefetch", server.url("/a.jpg"), "--json")
        await server.stop()

        #expect(result.code == 0 && again.code == 0)
        #expect(try result.objects("item").first?["verdict"] == "unchecked")
        let cached = try #require(try again.objects("item").first)
        #expect(cached["status"] == "hit" && cached["format"] == "JPEG" && cached.number("width") == 1200)
    }

    @Test func `--check framing finds only truncated files`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/cut.png": .picture(Array(try Fault.cut.file())),
            "/corrupt.png": .picture(Array(try Fault.corrupt.file())),
        ])

        let result = try await place.run(
            "prefetch", server.url("/cut.png"), server.url("/corrupt.png"), "--json", "--check", "framing",
            "--retries", "0")
        await server.stop()

        #expect(result.code == 3)
        let failed = try result.objects("item").filter { $0["status"] == "failed" }
        #expect(failed.compactMap { $0["url"] } == [server.url("/cut.png")])
    }

    @Test(arguments: Fault.allCases)
    func `show prints the decoded part of a damaged picture with a notice`(fault: Fault) async throws {
        let place = try Workplace()
        let path = try place.write(fault.file())

        let result = try await place.run("show", "--format", "ppm", path)

        #expect(result.code == 0)
        #expect(result.bytes.starts(with: Array("P6\n640 480\n255\n".utf8)))
        #expect(result.errors.isEmpty == (fault.kind == nil))
        if let kind = fault.kind { #expect(result.errors.contains(": \(kind): ")) }
    }

    @Test(arguments: [Fault.cut, .corrupt])
    func `export writes a damaged picture only with --allow-incomplete`(fault: Fault) async throws {
        let place = try Workplace()
        let path = try place.write(fault.file())

        let refused = try await place.run("export", path, "-o", "a.jpg")
        let written = try await place.run("export", path, "-o", "a.jpg", "--allow-incomplete")

        #expect(refused.code == 4 && written.code == 0)
        #expect(refused.errors.contains(try #require(fault.kind)))
    }

    @Test func `show does not store a damaged picture in the cache`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.png": .picture(Array(try Fault.corrupt.file()))])

        let result = try await place.run("show", "--format", "ppm", server.url("/a.png"))
        let listing = try await place.run("cache", "ls", "--json")
        await server.stop()

        #expect(result.code == 0)
        #expect(listing.output.isEmpty)
    }
}

extension Workplace {
    fileprivate func write(_ data: Data) throws -> String {
        try data.write(to: folder.appending(path: "damaged"))
        return path("damaged")
    }
}

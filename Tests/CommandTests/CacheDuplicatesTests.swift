import FaultServer
import Foundation
import ImageLoading
import TestSupport
import Testing

/// `alcedo cache dups`, and the filter terms about pictures.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CacheDuplicatesTests {
    /// A cache with a photo, an exact copy, a small copy and another picture.
    private func place() async throws -> Workplace {
        let place = try Workplace()
        let photo = try Pictures.asset("canyon.jpg")
        let image = try CodecDecoder().decode(photo, within: nil, limits: .standard)
        let small = try DownsamplingImageProcessor(size: PixelSize(width: 300, height: 300)).process(image)
        let server = try await FaultServer.start([
            "/photo.jpg": .picture(Array(photo), type: "image/jpeg"),
            "/copy.jpg": .picture(Array(photo), type: "image/jpeg"),
            "/small.jpg": .picture(Array(try small.pixels.pngData())),
            "/other.jpg": .picture(try Pictures.bytes("kelp.jpg")),
        ])
        let list = ["/photo.jpg", "/copy.jpg", "/small.jpg", "/other.jpg"].map(server.url).joined(separator: "\n")
        let result = try await place.run("prefetch", try place.write(list, to: "l.txt"))
        await server.stop()
        try #require(result.code == 0)
        return place
    }

    @Test func `identical and similar pictures are listed in groups`() async throws {
        let place = try await place()
        let groups = try await place.run("cache", "dups", "--json").objects()
        #expect(groups.compactMap { $0["type"] } == ["identical", "similar"])
        let text = try await place.run("cache", "dups")
        #expect(text.lines.first == "identical: 2 pictures" && text.lines.count == 6)
        #expect(text.output.contains("small.jpg") && !text.output.contains("other.jpg"))
        let few = try await place.run("cache", "dups", "--identical")
        #expect(few.lines.count == 3)
        let none = try await place.run("cache", "dups", "other")
        #expect(none.code == 0 && none.output.isEmpty && none.errors.contains("no picture is there twice"))
        #expect(try await place.run("cache", "dups", "--like", "16").code == 2)
        let folder = try await place.run("cache", "dups", place.path(""))
        #expect(folder.code == 2 && folder.errors.contains("use alcedo dups"))
    }

    @Test(arguments: [
        (["dup"], 2), (["w>1000"], 2), (["w<301"], 1), (["mpx>0.5", "dup"], 2), (["frames>1"], 0),
        (["verdict:whole"], 4), (["verdict:corrupt"], 0), (["color:rgb"], 4), (["alpha:yes"], 0), (["alpha:no"], 4),
    ])
    func `filters select by facts of pictures`(terms: [String], count: Int) async throws {
        let place = try await place()
        let listing = try await place.start(["cache", "ls", "--json"] + terms).end()
        #expect(listing.lines.count == count)
    }

    @Test func `the details show the facts and a format that differs from the name`() async throws {
        let place = try await place()
        let details = try await place.run("cache", "show", "small.jpg")
        let listing = try await place.run("cache", "ls", "--json", "small.jpg").objects().first
        #expect(listing?["mismatch"] == "name: JPEG" && listing?["contentType"] == "image/png")
        let key = try #require(listing?["key"])
        let shown = try await place.run("cache", "show", key)
        #expect(shown.output.contains("verdict    whole") && shown.output.contains("mismatch   name: JPEG"))
        #expect(details.code != 0)
    }
}

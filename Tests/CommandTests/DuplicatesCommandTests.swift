import FaultServer
import Foundation
import Glibc
import ImageLoading
import Raster
import TestSupport
import Testing

/// `alcedo dups`: groups of equal and similar pictures, and what becomes of their files.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DuplicatesCommandTests {
    private let place: Workplace
    private var folder: String { place.path("pictures") }

    /// Two photos; of the first there are an equal copy, a smaller one and a mirrored one.
    init() async throws {
        place = try Workplace()
        try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
        for name in ["canyon.jpg", "kelp.jpg"] {
            try FileManager.default.copyItem(
                atPath: BuiltProgram.picture(name).path(percentEncoded: false), toPath: "\(folder)/\(name)")
        }
        try FileManager.default.copyItem(atPath: folder + "/canyon.jpg", toPath: folder + "/sub/equal.jpg")
        for (name, chain) in [
            ("small", "downsample(400x300)"), ("mirrored", "downsample(500x400) |> flip(horizontal)"),
        ] {
            let result = try await place.run(
                "export", folder + "/canyon.jpg", "-o", "\(folder)/sub/\(name).jpg", "--process", chain)
            try #require(result.code == 0)
        }
    }

    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".") }.sorted()
    }

    private func names(_ output: String) throws -> [[String]] {
        try output.split(separator: "\n").map { line in
            let group = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return (group["pictures"] as? [[String: Any]] ?? []).compactMap { picture in
                (picture["path"] as? String).map { ($0 as NSString).lastPathComponent }
            }
        }
    }

    @Test func `equal, similar and turned pictures are in groups, the best first`() async throws {
        let found = try await place.run("dups", folder, "--json")
        let equal = try await place.run("dups", folder, "--json", "--identical")
        let turned = try await place.run("dups", folder, "--json", "--turned")
        #expect(try names(found.output) == [["canyon.jpg", "equal.jpg", "small.jpg"]])
        #expect(try names(equal.output) == [["canyon.jpg", "equal.jpg"]])
        #expect(try names(turned.output) == [["canyon.jpg", "equal.jpg", "mirrored.jpg", "small.jpg"]])
        #expect([found.code, equal.code, turned.code] == [0, 0, 0])
        #expect(try files().count == 5)
    }

    @Test func `files change only after --yes, and the best one stays`() async throws {
        let planned = try await place.run("dups", folder, "--delete", "--dry-run")
        let refused = try await place.run("dups", folder, "--delete")
        let before = try files()
        let done = try await place.run(
            "dups", folder, "--delete", "--yes", environment: ["XDG_DATA_HOME": place.path("data")])
        #expect([planned.code, refused.code, done.code] == [0, 2, 0])
        #expect(planned.errors.contains("would move 2 files") && refused.errors.contains("use --yes"))
        #expect(before.count == 5)
        #expect(try files() == ["canyon.jpg", "kelp.jpg", "sub/mirrored.jpg"])
        let trash = try FileManager.default.contentsOfDirectory(atPath: place.path("data/Trash/files")).sorted()
        #expect(trash == ["equal.jpg", "small.jpg"])
    }

    @Test func `what a reference has goes, and the reference stays`() async throws {
        let result = try await place.run(
            "dups", folder, "--against", folder + "/sub", "--move", place.path("moved"), "--yes")
        #expect(result.code == 0)
        #expect(try files() == ["kelp.jpg", "sub/equal.jpg", "sub/mirrored.jpg", "sub/small.jpg"])
        #expect(FileManager.default.fileExists(atPath: place.path("moved/canyon.jpg")))
    }

    /// Writes a picture of waves with a border of one colour around it, scaled; returns its path.
    private func write(_ name: String, _ size: PixelSize, border: PixelSize, _ color: Color = .white, scale: Int = 1)
        throws
    {
        let outer = PixelSize(width: size.width + 2 * border.width, height: size.height + 2 * border.height)
        let pixels = Pictures.make(outer.width / scale, outer.height / scale) { x, y in
            let (x, y) = (x * scale - border.width, y * scale - border.height)
            guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return color }
            let (across, down) = (Double(x) / Double(size.width), Double(y) / Double(size.height))
            let wave = sin(9 * across + 4 * down * down) + cos(7 * down - 3 * across * down)
            return Color(red: UInt8(120 + 60 * wave), green: UInt8(120 + 50 * wave), blue: UInt8(100 + 40 * wave))
        }
        let image = Image(pixels: pixels, originalSize: pixels.size, format: .png, frameCount: 1, byteCount: 0)
        try ImageEncoder.encode(image, as: .png).write(to: URL(filePath: place.path("framed/\(name).png")))
    }

    @Test func `a frame adds no pixels to the picture inside it`() async throws {
        try FileManager.default.createDirectory(atPath: place.path("framed"), withIntermediateDirectories: true)
        let size = PixelSize(width: 600, height: 400)
        try write("whole", size, border: PixelSize(width: 0, height: 0))
        try write("frame", size, border: PixelSize(width: 40, height: 40))
        try write("bars", size, border: PixelSize(width: 0, height: 60), .black)
        let found = try await place.run("dups", place.path("framed"), "--json", "--delete", "--permanently", "--yes")
        let groups = try names(found.output)
        #expect(groups.count == 1 && groups.first?.first == "whole.png")
        #expect(groups.first.map(Set.init) == ["whole.png", "frame.png", "bars.png"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("framed")) == ["whole.png"])
    }

    @Test func `a picture with its own border stays before its smaller copy`() async throws {
        try FileManager.default.createDirectory(atPath: place.path("framed"), withIntermediateDirectories: true)
        let (size, border) = (PixelSize(width: 1200, height: 800), PixelSize(width: 80, height: 80))
        try write("small", size, border: border, scale: 2)
        try write("large", PixelSize(width: 700, height: 467), border: PixelSize(width: 47, height: 47))
        let found = try await place.run("dups", place.path("framed"), "--json")
        #expect(try names(found.output) == [["large.png", "small.png"]])
    }

    @Test func `only equal bytes become links`() async throws {
        let result = try await place.run("dups", folder, "--link", "hard", "--yes")
        #expect(result.code == 0 && result.errors.contains("replaced 1 file by hard links"))
        let numbers = try ["canyon.jpg", "sub/equal.jpg", "sub/small.jpg"].map { name in
            try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.systemFileNumber] as? Int
        }
        #expect(numbers[0] == numbers[1] && numbers[0] != numbers[2])
    }

    @Test func `a link to the best picture, and one that the best is, are left alone`() async throws {
        symlink(folder + "/kelp.jpg", folder + "/k.jpg")
        let result = try await place.run("dups", folder, "--identical", "--delete", "--permanently", "--yes")
        #expect(result.code == 0)
        #expect(try files().contains("kelp.jpg"))
        #expect(try Data(contentsOf: URL(filePath: folder + "/kelp.jpg")).count > 1000)
    }

    @Test func `one file by two names is never deleted`() async throws {
        link(folder + "/kelp.jpg", folder + "/hard.jpg")
        symlink(folder, place.path("alias"))
        let result = try await place.run(
            "dups", place.path("alias"), "--against", folder, "--identical", "--delete", "--permanently", "--yes")
        #expect(result.code == 0)
        #expect(try files().count == 6)
        let twins = try await place.run("dups", folder, "--identical", "--delete", "--permanently", "--yes")
        #expect(twins.errors.contains("hard.jpg by another name"))
        #expect(try files() == ["canyon.jpg", "hard.jpg", "kelp.jpg", "sub/mirrored.jpg", "sub/small.jpg"])
    }

    @Test func `a better picture than the reference stays`() async throws {
        let small = place.path("small")
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder + "/sub/small.jpg", toPath: small + "/small.jpg")
        let result = try await place.run("dups", folder, "--against", small, "--delete", "--yes")
        #expect(result.errors.contains("it has more pixels than"))
        #expect(try files().count == 4)
    }

    @Test func `a link that leads to a file keeps it`() async throws {
        symlink(folder + "/sub/equal.jpg", folder + "/to-equal.jpg")
        let result = try await place.run("dups", folder, "--identical", "--delete", "--yes")
        #expect(result.errors.contains("leads to it"))
        #expect(try files().contains("sub/equal.jpg"))
    }

    @Test func `a name that is no text is in base64, too`() async throws {
        let path = folder + "/sub/a\nb.jpg"
        try FileManager.default.moveItem(atPath: folder + "/sub/equal.jpg", toPath: path)
        let result = try await place.run("dups", folder, "--identical", "--json")
        #expect(result.output.contains("\"pathBytes\":\"\(Data(path.utf8).base64EncodedString())\""))
    }

    @Test func `pictures on the web are named and stay`() async throws {
        let body = try Pictures.bytes()
        let server = try await FaultServer.start(["/a.webp": .picture(body), "/b.webp": .picture(body)])
        let list = try place.write(["/a.webp", "/b.webp"].map { server.url($0) + "\n" }.joined(), to: "list.txt")
        let result = try await place.run("dups", list, "--delete", "--yes")
        await server.stop()
        #expect(result.code == 0 && result.output.contains("/b.webp"))
        #expect(result.errors.contains("left as it is: \(server.url("/b.webp")): it is on the web"))
    }
}

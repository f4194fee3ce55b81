import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ExportCommandTests {
    /// 640 × 480 pixels.
    private static let eclipse = BuiltProgram.picture("eclipse.png").path

    private static let signatures: [(name: String, head: [UInt8])] = [
        ("a.png", [0x89, 0x50, 0x4E, 0x47]), ("a.jpg", [0xFF, 0xD8, 0xFF]), ("a.JPEG", [0xFF, 0xD8, 0xFF]),
        ("a.webp", Array("RIFF".utf8)), ("a.gif", Array("GIF8".utf8)),
    ]

    @Test(arguments: signatures)
    func `the extension decides the format, and the exported picture is readable`(
        name: String, head: [UInt8]
    ) async throws {
        let place = try Workplace()

        let result = try await place.run("export", Self.eclipse, "-o", name, "--process", "crop(40x30) |> bw")
        let again = try await place.run("show", "--format", "ppm", place.path(name))

        #expect(result.code == 0)
        #expect(result.everything.isEmpty)
        #expect(try Data(contentsOf: place.folder.appending(path: name)).starts(with: head))
        #expect(again.bytes.starts(with: Array("P6\n40 30\n255\n".utf8)))
    }

    @Test func `a higher quality makes the file larger`() async throws {
        let place = try Workplace()

        for quality in ["10", "95"] {
            let name = "\(quality).jpg"
            #expect(try await place.run("export", Self.eclipse, "-o", name, "--quality", quality).code == 0)
        }

        #expect(try place.size("10.jpg") < place.size("95.jpg"))
    }

    @Test func `an existing file is replaced only with --force`() async throws {
        let place = try Workplace()
        try place.write("mine", to: "a.png")

        let refused = try await place.run("export", Self.eclipse, "-o", "a.png")
        let kept = try place.read("a.png")
        let forced = try await place.run("export", Self.eclipse, "--output", "a.png", "--force")

        #expect(refused.code == 1)
        #expect(refused.errors == "alcedo: a.png exists; add --force to replace it\n")
        #expect(kept == "mine")
        #expect(forced.code == 0)
        #expect(try Data(contentsOf: place.folder.appending(path: "a.png")).starts(with: [0x89, 0x50]))
    }

    @Test(arguments: ["folder.png", "pipe.png"])
    func `a path that is not a regular file is not replaced either`(name: String) async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.path("folder.png"), withIntermediateDirectories: false)
        mkfifo(place.path("pipe.png"), 0o600)

        let result = try await place.run("export", Self.eclipse, "-o", name, "--force")

        #expect(result.code == 1)
        #expect(result.errors == "alcedo: \(name) is not a regular file\n")
    }

    @Test func `a symbolic link is replaced and its target is unchanged`() async throws {
        let place = try Workplace()
        try place.write("mine", to: "target")
        symlink("target", place.path("a.png"))

        let result = try await place.run("export", Self.eclipse, "-o", "a.png", "--force")

        #expect(result.code == 0)
        #expect(try place.read("target") == "mine")
    }

    @Test func `a missing folder is reported before anything is fetched`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])

        let result = try await place.run("export", server.url("/a.webp"), "-o", "no/such/folder/a.png")
        let cached = try await place.run("cache", "ls")
        await server.stop()

        #expect(result.code == 1)
        #expect(result.errors == "alcedo: cannot write no/such/folder/a.png: No such file or directory\n")
        #expect(cached.output.isEmpty)
    }

    @Test func `an exported picture is cached, except with --no-cache`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let address = server.url("/a.webp")

        let uncached = try await place.run("export", address, "-o", "a.png", "--no-cache")
        let before = try await place.run("cache", "ls")
        let cached = try await place.run("export", address, "-o", "b.png")
        let after = try await place.run("cache", "ls")
        await server.stop()

        #expect(uncached.code == 0 && cached.code == 0)
        #expect(before.output.isEmpty && after.lines.count == 1)
        #expect(try place.size("a.png") == place.size("b.png"))
    }

    @Test(arguments: ["missing.png", "page.png", "cut.jpg"])
    func `a picture that fails leaves no file behind`(name: String) async throws {
        let place = try Workplace()
        try place.write(Data(try Pictures.bytes("kelp.jpg").prefix(20_000)), to: "cut.jpg")
        try place.write("<!DOCTYPE html><title>\u{1B}[2J</title>", to: "page.png")
        let before = try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted()

        let result = try await place.run("export", name, "-o", "out.png")

        #expect(result.code == 4)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("alcedo: \(name): "))
        #expect(result.errors.split(separator: "\n").count == 1)
        expectSafe(result.errors)
        let after = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
        #expect(after.filter { !$0.hasPrefix("run-") }.sorted() == before)
    }

    @Test(arguments: [
        (["-o", "a.bmp"], "--output"), (["-o", "png"], "--output"), (["-o", ""], "--output"),
        (["-o", "-"], "--output"),
        (["-o", "a.png", "--quality", "0"], "--quality"), (["-o", "a.png", "--quality", "101"], "--quality"),
        (["-o", "a.png", "--process", "blur(x)"], "column 6: expected a number from 0 to 100"),
        (["-o", "a.png", "--nope"], "--nope"), ([], "-o"),
    ])
    func `an invalid argument is reported with exit code 2`(arguments: [String], name: String) async throws {
        let place = try Workplace()

        let result = try await place.start(["export", Self.eclipse] + arguments).end()

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name))
        #expect(!FileManager.default.fileExists(atPath: place.path("a.png")))
    }

    @Test func `show reports the column of a fault in a chain with exit code 2`() async throws {
        let result = try await Workplace().run(
            "show", "--format", "ppm", "--process", "bw |> round(20, corner: tl)", Self.eclipse)

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("column 17: expected 'size: …', 'corners: …', 'background: …'"))
    }

    @Test func `every processor works through show`() async throws {
        let chain = """
            downsample(64x64) |> round(20%w, corners: tl br, background: #fff) |> border(2, navy, radius: 4) \
            |> blur(0.5) |> overlay(#ff0000, 0.8) |> tint(#0000ff10) |> color(brightness: 0.1) \
            |> blend(multiply, background: #c86432) |> flip(horizontal) |> rotate(90) |> resize(30x40, stretch) |> crop(20x10) |> bw
            """

        let result = try await Workplace().run("show", "--format", "ppm", "--process", chain, Self.eclipse)

        #expect(result.code == 0)
        #expect(result.bytes.starts(with: Array("P6\n20 10\n255\n".utf8)))
    }
}

extension Workplace {
    fileprivate func size(_ name: String) throws -> Int { try Data(contentsOf: folder.appending(path: name)).count }
}

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ShowCommandTests {
    /// 1500 × 950 pixels.
    static let fjord = BuiltProgram.picture("fjord.webp").path
    /// 640 × 480 pixels.
    static let eclipse = BuiltProgram.picture("eclipse.png").path

    @Test(arguments: [
        (fjord, "100x100", 100, 63), (fjord, "1000x19", 30, 19), (fjord, "1x1", 1, 1), (eclipse, "64x1000", 64, 48),
        (eclipse, "16384x16384", 640, 480),
    ])
    func `a pixmap fits the box, keeps its shape and is never scaled up`(
        path: String, box: String, width: Int, height: Int
    ) async throws {
        let result = try await Workplace().run("show", "--format", "ppm", "--size", box, path)

        #expect(result.code == 0)
        let head = Array("P6\n\(width) \(height)\n255\n".utf8)
        #expect(result.bytes.starts(with: head))
        #expect(result.bytes.count == head.count + width * height * 3)
    }

    @Test(arguments: ["blocks", "sixel", "kitty", "iterm"])
    func `a picture is drawn at a cell, and the cursor stays where it was`(format: String) async throws {
        let result = try await Workplace().run(
            "show", "--at", "5,4", "--cells", "10x5", "--format", format, Self.eclipse)
        #expect(result.code == 0 && result.output.hasPrefix("\u{1B}7") && result.output.hasSuffix("\u{1B}8"))
        #expect(result.output.contains("\u{1B}[5;6H") && !result.output.contains("\n"))
    }

    @Test func `a picture at a cell is removed without a new one`() async throws {
        let place = try Workplace()
        let blocks = try await place.run("show", "--clear", "--at", "2,1", "--cells", "3x2", "--format", "blocks")
        #expect(blocks.output == "\u{1B}7\u{1B}[0m\u{1B}[2;3H\u{1B}[3X\u{1B}[3;3H\u{1B}[3X\u{1B}8")
        let kitty = try await place.run("show", "--clear", "--format", "kitty")
        #expect(kitty.code == 0 && kitty.output == "\u{1B}_Ga=d,q=2,d=A\u{1B}\\")
    }

    @Test(arguments: [["--at", "1,1", "a.png"], ["--at", "1", "--cells", "2x2", "a.png"], []])
    func `a place without a box, a wrong one and no picture are usage errors`(arguments: [String]) async throws {
        #expect(try await Workplace().start(["show"] + arguments).end().code == 2)
    }

    @Test func `a sixel picture declares and draws the size of the box`() async throws {
        for encoder in ["band", "libsixel"] {
            let result = try await Workplace().run(
                "show", "--size", "90x90", "--encoder", encoder, "--quality", "fast", Self.eclipse)

            #expect(result.code == 0)
            let shape = try #require(SixelShape(result.bytes))
            #expect(shape.width == 90 && shape.height == 68 || shape.height == 67)
            #expect(shape.drawnWidth == 90, "\(encoder)")
            #expect(shape.bands == 12, "\(encoder)")
            #expect((2...256).contains(shape.colors), "\(encoder)")
        }
    }

    @Test func `blocks stay within the cells and reset the colours at each line end`() async throws {
        let result = try await Workplace().run("show", "--format", "blocks", "--cells", "12x6", Self.eclipse)

        #expect(result.code == 0)
        #expect((1...6).contains(result.lines.count))
        let plain = result.lines.map { $0.replacing(/\e\[[0-9;]*m/, with: "") }
        #expect(plain.allSatisfy { $0.count <= 12 } && plain.contains { $0.count > 0 })
        #expect(result.lines.allSatisfy { $0.hasSuffix("\u{1B}[0m") })
    }

    @Test func `a PNG can be shown again`() async throws {
        let place = try Workplace()

        let png = try await place.run("show", "--format", "png", "--size", "50x50", Self.fjord)
        try place.write(png.bytes, to: "small.png")
        let again = try await place.run("show", "--format", "ppm", place.path("small.png"))

        #expect(png.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(again.bytes.starts(with: Array("P6\n50 32\n".utf8)))
    }

    @Test func `a processor is applied`() async throws {
        let result = try await Workplace().run(
            "show", "--format", "ppm", "--size", "20x20", "--process", "bw", Self.fjord)

        let pixels = Array(result.bytes.suffix(20 * 13 * 3))
        #expect(pixels.count == 780)
        #expect(stride(from: 0, to: pixels.count, by: 3).allSatisfy { Set(pixels[$0..<$0 + 3]).count == 1 })
    }

    @Test(arguments: [
        "missing.png", "page.png", "huge.png", "empty.png", "folder", "pipe", "truncated.webp",
    ])
    func `a picture that cannot be shown is one safe line and exit code 4`(name: String) async throws {
        let place = try Workplace()
        try place.write(Data(try Pictures.bytes("fjord.webp").prefix(900)), to: "truncated.webp")
        try place.write("<!DOCTYPE html><title>\u{1B}[2J</title>", to: "page.png")
        try place.write(Self.hugeHeader, to: "huge.png")
        try place.write("", to: "empty.png")
        try FileManager.default.createDirectory(atPath: place.path("folder"), withIntermediateDirectories: false)
        mkfifo(place.path("pipe"), 0o600)

        let result = try await place.run("show", "--format", "ppm", "--size", "50x50", name)

        #expect(result.code == 4)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("alcedo: \(name): "))
        #expect(result.errors.split(separator: "\n").count == 1)
        expectSafe(result.errors)
    }

    @Test func `one good and one bad picture give exit code 3`() async throws {
        let result = try await Workplace().run("show", "--format", "ppm", "--size", "9x9", Self.fjord, "missing.png")

        #expect(result.code == 3)
        #expect(result.bytes.starts(with: Array("P6\n9 6\n".utf8)))
    }

    @Test func `a shown picture is cached, except with --no-cache`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let address = server.url("/a.webp")

        _ = try await place.run("show", "--format", "ppm", "--size", "9x9", "--no-cache", address)
        let before = try await place.run("cache", "ls")
        _ = try await place.run("show", "--format", "ppm", "--size", "9x9", address)
        let after = try await place.run("cache", "ls")
        await server.stop()
        let gone = try await place.run("show", "--format", "ppm", "--size", "9x9", address)

        #expect(before.output.isEmpty)
        #expect(after.lines.count == 1)
        #expect(gone.code == 0 && gone.bytes.starts(with: Array("P6\n".utf8)))
    }

    @Test func `without a terminal and a size --size is suggested`() async throws {
        let result = try await Workplace().run("show", Self.fjord)

        #expect(result.code == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("--size"))
    }

    /// A PNG whose header claims 60,000 × 60,000 pixels, with its right check sum.
    private static let hugeHeader = Data([
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0xEA, 0x60, 0, 0,
        0xEA, 0x60, 8, 2, 0, 0, 0, 0x0F, 0xB0, 0xE2, 0x15, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ])
}

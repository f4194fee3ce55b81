import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct SheetCommandTests {
    private static let eclipse = BuiltProgram.picture("eclipse.png").path

    /// Returns the picture as PPM: its head and its pixels.
    private func pixels(_ name: String, in place: Workplace) async throws -> (head: String, bytes: ArraySlice<UInt8>) {
        let shown = try await place.run("show", "--format", "ppm", place.path(name))
        #expect(shown.code == 0)
        let bytes = Array(shown.bytes)
        let end = try #require(
            bytes.indices.dropFirst(3).first { bytes[..<$0].count { $0 == UInt8(ascii: "\n") } == 3 })
        return (String(decoding: bytes[..<end], as: UTF8.self), bytes[end...])
    }

    @Test func `a sheet has rows of pictures in the order of the list`() async throws {
        let place = try Workplace()
        try place.write(String(repeating: Self.eclipse + "\n", count: 3), to: "list.txt")

        let result = try await place.run(
            "sheet", "list.txt", Self.eclipse, "-o", "a.png", "--columns", "3", "--size", "64x48")

        #expect(result.code == 0 && result.everything.isEmpty)
        // Four pictures of 64×48 and gaps of 8: three columns, two rows.
        let sheet = try await pixels("a.png", in: place)
        #expect(sheet.head == "P6\n224 120\n255\n")
        func pixel(_ x: Int, _ y: Int) -> [UInt8] {
            let start = sheet.bytes.startIndex + (y * 224 + x) * 3
            return Array(sheet.bytes[start..<start + 3])
        }
        let white: [UInt8] = [255, 255, 255]
        #expect(pixel(2, 2) == white && pixel(76, 30) == white)
        #expect(pixel(10, 10) != white && pixel(82, 10) != white && pixel(154, 10) != white && pixel(10, 66) != white)
        #expect(pixel(10, 10) == pixel(82, 10))
        // The places after the last picture are empty.
        #expect(pixel(110, 90) == white)
    }

    @Test func `the processors of a list are applied before the reduction`() async throws {
        let place = try Workplace()
        try place.write(#"[{"url": "\#(Self.eclipse)", "process": "rotate(90)"}]"#, to: "list.json")

        let result = try await place.run("sheet", "list.json", "-o", "a.png", "--size", "64x48")

        // 640×480 turned is 36×48 in the middle of 64×48.
        #expect(result.code == 0)
        let sheet = try await pixels("a.png", in: place)
        let row = sheet.bytes.dropFirst(80 * 3 * 30).prefix(80 * 3)
        #expect(row.prefix(20 * 3).allSatisfy { $0 == 255 })
        #expect(row.dropFirst(24 * 3).prefix(32 * 3).contains { $0 < 200 })
    }

    @Test func `a failed picture is reported and its place stays empty`() async throws {
        let place = try Workplace()
        try place.write("no picture", to: "b.png")
        try place.write("\(Self.eclipse)\n\(place.path("b.png"))\n", to: "list.txt")

        let result = try await place.run("sheet", "list.txt", "-o", "a.png", "--size", "64x48")

        #expect(result.code == 3)
        #expect(result.errors.contains("alcedo: \(place.path("b.png")): not an image"))
        #expect(try await pixels("a.png", in: place).head == "P6\n152 64\n255\n")
    }

    @Test func `without a usable picture no file is written`() async throws {
        let place = try Workplace()
        try place.write("no picture", to: "b.png")

        let result = try await place.run("sheet", place.path("b.png"), "-o", "a.png")

        #expect(result.code == 4)
        #expect(!FileManager.default.fileExists(atPath: place.path("a.png")))
    }

    @Test func `captions are drawn whatever the names contain`() async throws {
        let place = try Workplace()
        let name = "<b>&\"x\" ]]> \u{1B}[31m.png"
        try FileManager.default.copyItem(atPath: Self.eclipse, toPath: place.path(name))
        try FileManager.default.createDirectory(atPath: place.path("folder"), withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: place.path(name), toPath: place.path("folder/\(name)"))

        let result = try await place.run("sheet", "folder", "-o", "a.png", "--size", "160x120", "--captions")

        #expect(result.code == 0 && result.everything.isEmpty)
        let sheet = try await pixels("a.png", in: place)
        #expect(sheet.head == "P6\n176 154\n255\n")
        let caption = sheet.bytes.dropFirst(176 * 3 * 128).prefix(176 * 3 * 18)
        #expect(caption.contains { $0 < 128 })
    }

    @Test(arguments: [
        ("a.bmp", "--columns", "4", "--output takes a file ending in png"),
        ("a.png", "--columns", "0", "--columns takes"),
        ("a.png", "--size", "2x2", "--size takes a number from 16"),
    ])
    func `an invalid option value is reported`(
        file: String, option: String, value: String, message: String
    ) async throws {
        let result = try await Workplace().run("sheet", Self.eclipse, "-o", file, option, value)
        #expect(result.code == 2 && result.errors.contains(message))
    }
}

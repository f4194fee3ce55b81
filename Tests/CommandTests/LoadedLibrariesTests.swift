import Foundation
import ImageTestSupport
import TestSupport
import Testing

/// What the program loads before it can begin: libvips and the hundred libraries with it take longer than a picture.
@Suite(.timeLimit(.minutes(5)))
struct LoadedLibrariesTests {
    private func loaded(_ arguments: [String]) async throws -> (code: Int32, libraries: String) {
        // The dynamic linker writes every file that it opens to standard error.
        let result = try await Workplace().start(arguments, environment: ["LD_DEBUG": "files"]).end()
        return (result.code, result.errors)
    }

    @Test(arguments: ["glacier.jpg", "sunrise-poster.png", "eclipse.png", "fjord.webp", "harbour.gif"])
    func `libvips is not loaded for formats with own decoders and for own processors`(name: String) async throws {
        let path = BuiltProgram.picture(name).path
        let (code, libraries) = try await loaded([
            "show", "--size", "90x90", "--format", "sixel", "--process", "blur(1)", path,
        ])
        #expect(code == 0)
        #expect(libraries.contains("libjpeg.so"))
        #expect(!libraries.contains("libvips.so"))
    }

    @Test func `libvips is loaded when needed`() async throws {
        let place = try Workplace()
        let path = try place.write(SampleFiles.file(.interlacedPNG), to: "interlaced.png")
        let (code, libraries) = try await loaded(["show", "--size", "90x90", "--format", "png", path])
        #expect(code == 0)
        #expect(libraries.contains("libvips.so"))
    }
}

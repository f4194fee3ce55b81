import Foundation
import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct ListSourceTests {
    @Test func `a dash is standard input and a URL is one picture`() throws {
        #expect(try ListSource.detect("-") == .standardInput)
        #expect(try ListSource.detect("https://a.example/x") == .picture("https://a.example/x"))
    }

    @Test func `existing paths are folders, pictures or lists`() throws {
        let folder = try TemporaryFolder()
        let picture = try folder.write("a.png")
        let unnamed = try folder.write("unnamed", Array("GIF89a\u{1}\0\u{1}\0".utf8))
        let list = try folder.write("list.txt", Array("a.png\n".utf8))
        #expect(try ListSource.detect(folder.path) == .folder(folder.path))
        #expect(try ListSource.detect("a.png", from: folder.path) == .picture(picture))
        #expect(try ListSource.detect(unnamed) == .picture(unnamed))
        #expect(try ListSource.detect("file://\(list)") == .file(list))
    }

    @Test(arguments: [
        "a.avif", "a.JXL", "a.svgz", "a.psd", "a.dds", "a.tiff", "a.icns", "a.qoi", "a.hif", "a.dib", "a.avifs",
        "a.j2c",
    ])
    func `a picture of any format is recognised by its name`(name: String) throws {
        let folder = try TemporaryFolder()
        let picture = try folder.write(name, Array("anything".utf8))
        #expect(try ListSource.detect(picture) == .picture(picture))
    }

    @Test func `pictures are detected by name in links and folders, documents and videos in folders only`() {
        let pictures = """
            jpg jpeg jpe jfif png apng gif webp avif avifs heic heif hif jxl jp2 jpf jpx j2k j2c tif tiff bmp dib ico \
            cur icns svg svgz ppm pgm pbm pam pnm pfm qoi tga hdr exr psd pcx dds xbm xpm
            """
        for name in pictures.split(separator: " ").map({ "a.\($0)" }) {
            #expect(PictureFileDetector.isViewable(name: name), "\(name)")
            #expect(PictureFileDetector.isPicture(url: "http://a.example/\(name)?b"), "\(name)")
        }
        for name in ["a.pdf", "a.mp4", "a.m4v", "a.mov", "a.webm", "a.mkv", "a.avi"] {
            #expect(PictureFileDetector.isViewable(name: name), "\(name)")
            #expect(!PictureFileDetector.isPicture(url: "http://a.example/\(name)"), "\(name)")
        }
        for name in ["jpg", ".jpg", "a.", "a.txt", "a.jpg.gz"] { #expect(!PictureFileDetector.isViewable(name: name)) }
    }

    @Test(arguments: [Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF], Array("8BPS".utf8) + [0, 1, 0, 0]])
    func `a picture of any format is recognised by its first bytes`(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let picture = try folder.write("unnamed", bytes)
        #expect(try ListSource.detect(picture) == .picture(picture))
    }

    @Test(arguments: [
        Array("<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
        Array("/* XPM */\nstatic char *a[] = {".utf8),
        Array("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\u{1}".utf8),
        Array("#define a_width 8\n#define a_height 1\nstatic char a_bits[] = { 0x01 };".utf8),
        Array("P6 1 1 255\n".utf8) + [1, 2, 3],
        [10, 5, 1, 8, 0, 0, 0, 0, 3, 0, 3, 0, 72, 0, 72, 0] + [UInt8](repeating: 0, count: 112),
        [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0x20, 1, 2, 3],
        [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 64, 0, 24, 0x20] + [UInt8](repeating: 9, count: 64 * 64 * 3),
    ])
    func `a picture without an extension is not a list`(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let picture = try folder.write("scan", bytes)
        #expect(try ListSource.detect(picture) == .picture(picture))
    }

    @Test(arguments: [
        "GIF89/a.png\n", "BMW/é.png\n", "qoif.png\n", "P1 0001.jpg\n", "icns/a.png\n", "# /* XPM */\na.png\n",
        "/* XPM/a.png\n", "<urlset><url><loc>http://host/a.svg</loc></url></urlset>", "#define a b\na.png\n",
    ])
    func `a list that begins like a picture is a list`(text: String) throws {
        let folder = try TemporaryFolder()
        let list = try folder.write("list", Array(text.utf8))
        #expect(try ListSource.detect(list) == .file(list))
    }

    @Test func `detecting a pipe loses none of its bytes`() async throws {
        // Given a pipe by its name, to which something was written
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder / "pipe", 0o600) == 0)
        let writer = open(folder / "pipe", O_RDWR)
        defer { close(writer) }
        let text = Array("https://host/a.png\nhttps://host/b.png\n".utf8)
        #expect(write(writer, text, text.count) == text.count)
        // When it is recognised and read
        let source = try ListSource.detect(folder / "pipe")
        var events = ListReader(source).makeAsyncIterator()
        // Then its beginning is there
        #expect(try await events.next() == .entry(ListEntry(line: 1, location: "https://host/a.png")))
    }

    @Test func `reading a pipe without a writer can be cancelled`() async throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder / "pipe", 0o600) == 0)
        let source = try ListSource.detect(folder / "pipe")
        let reading = Task {
            for try await _ in ListReader(source) {}
        }
        reading.cancel()
        await #expect(throws: ListError.cancelled) { try await reading.value }
    }

    @Test func `a missing file and an unsupported scheme are errors`() {
        #expect(throws: ListError.missing(file: "/nowhere/x.txt")) { try ListSource.detect("/nowhere/x.txt") }
        #expect(throws: ListError.self) { try ListSource.detect("ftp://a/x") }
    }

    @Test func `errors contain file, line and reason without secrets`() {
        let error = #expect(throws: ListError.self) { try ListSource.detect("ftp://me:secret@a/x") }
        #expect(error?.description == "ftp://a/x: the scheme ftp is not one of http, https, file, data")
        #expect(
            ListError.unreadable(file: "l.txt", line: 4, reason: "Input/output error").description
                == "l.txt:4: cannot be read: Input/output error")
    }
}

import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct FormatSnifferTests {
    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
            (Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBP".utf8), .webP),
        ] as [([UInt8], ImageFormat)])
    func `an accepted format is known by its first bytes as soon as they are there`(
        bytes: [UInt8], format: ImageFormat
    ) {
        #expect(FormatSniffer.judge(bytes, isWhole: false) == .format(format))
        #expect(FormatSniffer.judge(bytes + Array(repeating: 0, count: 99), isWhole: true) == .format(format))
        #expect(FormatSniffer.judge(bytes.dropLast(), isWhole: false) == .undecided)
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html>", "HTML"), ("\n  <html><body>hello", "HTML"), ("\u{FEFF}<!doctype HTML>", "HTML"),
        ("<?xml version='1.0'?><svg/>", "XML"), ("<svg xmlns='x'></svg>", "SVG"), ("%PDF-1.7 and some more", "PDF"),
        ("{\"error\": \"no such picture\"}", "JSON or text"), ("BM and what follows it", "BMP"),
        ("II*\u{0}\u{8}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "TIFF"),
        ("MM\u{0}*\u{0}\u{0}\u{0}\u{8}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "TIFF"),
        ("mmm, this is no TIFF", "text"), ("not found, we are sorry", "text"),
        ("\u{0}\u{0}\u{0}\u{1C}ftypavif\u{0}\u{0}\u{0}\u{0}", "AVIF, HEIC or video"),
        ("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ", "unknown bytes"), ("\u{1B}]0;title\u{7} and so on", "unknown bytes"),
        ("", "empty"),
        ("x", "text"),
    ])
    func `everything else is refused by what it looks like`(text: String, appearance: String) {
        #expect(FormatSniffer.judge(Array(text.utf8), isWhole: true) == .refused(appearance))
    }

    @Test func `too few bytes are undecided only while more may come`() {
        #expect(FormatSniffer.judge([] as [UInt8], isWhole: false) == .undecided)
        #expect(FormatSniffer.judge(Array("<html>".utf8), isWhole: false) == .undecided)
        #expect(FormatSniffer.judge([0xFF, 0xD8], isWhole: true) == .refused("unknown bytes"))
    }
}

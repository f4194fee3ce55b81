import Raster
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct FormatSnifferTests {
    @Test(arguments: [("msf1hevciso8", true), ("msf1hevcheicmif1", false), ("mif1heic", false), ("avifmif1avis", true)])
    func `a sequence without a still picture is known by its brands`(brands: String, isSequence: Bool) {
        let box = "ftyp\(brands.prefix(4))\0\0\0\0\(brands)"
        let file = [0, 0, 0, UInt8(4 + box.utf8.count)] + Array("\(box)moov".utf8)
        #expect(FormatSignatures.isSequence(file) == isSequence)
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
            (Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBP".utf8), .webP),
        ] as [([UInt8], ImageFormat)])
    func `an accepted format is recognized from its first bytes`(
        bytes: [UInt8], format: ImageFormat
    ) {
        #expect(FormatSniffer.judge(bytes, isWhole: false) == .format(format))
        #expect(FormatSniffer.judge(bytes + Array(repeating: 0, count: 99), isWhole: true) == .format(format))
        #expect(FormatSniffer.judge(bytes.dropLast(), isWhole: false) == .undecided)
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html>", "HTML"), ("\n  <html><body>hello", "HTML"), ("\u{FEFF}<!doctype HTML>", "HTML"),
        ("<?xml version='1.0'?><feed/>", "XML"), ("<?xml version='1.0'?><!DOCTYPE html><html/>", "XML"),
        ("{\"error\": \"no such picture\"}", "JSON or text"), ("BM and what follows it", "text"),
        ("#define NAME 1\n#include <x>\n", "text"), ("/* a program */ int main() {}", "text"),
        ("mmm, this is no TIFF", "text"), ("not found, we are sorry", "text"),
        ("The wide river and the skip", "text"), ("\u{0}\u{0}\u{0}\u{18}ftypM4A \u{0}\u{0}\u{0}\u{0}isom", "audio"),
        ("P7 332 thumbnail", "text"), ("Pixels of many kinds", "text"),
        ("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ", "unknown bytes"), ("\u{1B}]0;title\u{7} and so on", "unknown bytes"),
        ("", "empty"),
        ("x", "text"),
    ])
    func `other data is refused with its appearance`(text: String, appearance: String) {
        #expect(FormatSniffer.judge(Array(text.utf8), isWhole: true) == .refused(appearance))
    }

    @Test(
        arguments: [
            ("\u{0}\u{0}\u{0}\u{1C}ftypavif\u{0}\u{0}\u{0}\u{0}", .avif),
            ("\u{0}\u{0}\u{0}\u{18}ftypmif1\u{0}\u{0}\u{0}\u{0}mif1avis", .avif),
            ("\u{0}\u{0}\u{0}\u{18}ftypmif1\u{0}\u{0}\u{0}\u{0}mif1heic", .heic),
            ("II*\u{0}\u{8}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", .tiff),
            ("MM\u{0}*\u{0}\u{0}\u{0}\u{8}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", .tiff),
            ("<svg xmlns='x'></svg>", .svg), ("<?xml version='1.0'?><!-- a > b -->\n<svg:svg/>", .svg),
            ("<!DOCTYPE svg [ <!ENTITY a '>'> ]><svg/>", .svg), ("%PDF-1.7 and some more", .pdf),
            ("junk \u{1} before it\n%PDF-1.4", .pdf), ("P3 # red\n1 1 255 9 9 9", .pnm),
            ("P7\nWIDTH 1\nHEIGHT 1", .pnm),
            ("\u{0}\u{0}\u{0}\u{14}ftypisom\u{0}\u{0}\u{0}\u{0}mp42", .video),
            ("RIFF\u{1}\u{1}\u{1}\u{1}AVI LIST", .video), ("\u{0}\u{0}\u{0}\u{8}free\u{0}\u{0}\u{0}\u{8}mdat", .video),
            ("#?RADIANCE\nFORMAT=32", .radianceHDR), ("qoif\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}\u{0}\u{1}", .qoi),
            ("8BPS\u{0}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", .psd), ("/* XPM */\nstatic char *x[] = {", .xpm),
            ("/* 1 */\n#define a_width 8\n#define a_height 1\nstatic char a_bits[] = { 0x01 };", .xbm),
        ] as [(String, ImageFormat)])
    func `an untrusted format is recognized by its content`(text: String, format: ImageFormat) {
        #expect(FormatSniffer.judge(Array(text.utf8), isWhole: true) == .format(format))
    }

    @Test func `data that matches a TGA header by chance is not a picture`() {
        let counting = (0...255).map { UInt8($0) }
        #expect(FormatSniffer.format(of: counting) == nil)
        let promise: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 24, 0]
        #expect(FormatSniffer.format(of: promise + [UInt8](repeating: 7, count: 256)) == nil)
        #expect(FormatSniffer.format(of: promise + [UInt8](repeating: 7, count: 1 << 20)) == .tga)
    }

    @Test func `a TGA file is recognized only as a whole`() {
        let header: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0x20, 1, 2, 3]
        #expect(FormatSniffer.judge(header, isWhole: false) == .undecided)
        #expect(FormatSniffer.judge(header, isWhole: true) == .format(.tga))
    }

    @Test func `too few bytes are undecided only while more may follow`() {
        #expect(FormatSniffer.judge([] as [UInt8], isWhole: false) == .undecided)
        #expect(FormatSniffer.judge(Array("<html>".utf8), isWhole: false) == .undecided)
        #expect(FormatSniffer.judge([0xFF, 0xD8], isWhole: true) == .refused("unknown bytes"))
    }
}

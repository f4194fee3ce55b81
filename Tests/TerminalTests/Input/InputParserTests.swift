import AlcedoBrowserCore
import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoTerminal

@Suite(.timeLimit(.minutes(1)))
struct InputParserTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var input: String
        var events: [TerminalEvent]
        var testDescription: String { input.debugDescription }

        init(_ input: String, _ events: TerminalEvent...) {
            self.input = input
            self.events = events
        }
    }

    static let keys = [
        Example("a", .key(.character("a"))),
        Example("é", .key(.character("é"))),
        Example("日🦜", .key(.character("日")), .key(.character("🦜"))),
        Example("\r", .key(.enter)),
        Example("\n", .key(.enter)),
        Example("\t", .key(.tab)),
        Example("\u{7F}", .key(.backspace)),
        Example("\u{8}", .key(.backspace)),
        Example("\u{0}", .key(.control(" "))),
        Example("\u{3}", .key(.control("c"))),
        Example("\u{1F}", .key(.control("_"))),
        Example("\u{1B}x", .key(.alt("x"))),
        Example("\u{1B}\r", .key(.escape), .key(.enter)),
        Example("\u{1B}[A", .key(.up)),
        Example("\u{1B}OB", .key(.down)),
        Example("\u{1B}OM", .key(.enter)),
        Example("\u{1B}[1;5C", .key(.right)),
        Example("\u{1B}[1;2D", .key(.left)),
        Example("\u{1B}[H\u{1B}[4~", .key(.home), .key(.end)),
        Example("\u{1B}[2~\u{1B}[3;5~", .key(.insert), .key(.delete)),
        Example("\u{1B}[5~\u{1B}[6~", .key(.pageUp), .key(.pageDown)),
        Example("\u{1B}[Z", .key(.backTab)),
        Example("\u{1B}OP\u{1B}[1;2R", .key(.function(1)), .key(.function(3))),
        Example("\u{1B}[15~\u{1B}[17~\u{1B}[24~", .key(.function(5)), .key(.function(6)), .key(.function(12))),
        Example("\u{1B}[[A\u{1B}[[E", .key(.function(1)), .key(.function(5))),
        Example("\u{1B}[[F\u{1B}[[1A"),
        Example("\u{1B}[97;5u", .key(.control("a"))),
        Example("\u{1B}[97;3u\u{1B}[9;2u", .key(.alt("a")), .key(.backTab)),
    ]

    static let others = [
        Example("\u{1B}[I\u{1B}[O", .focus(true), .focus(false)),
        Example("\u{1B}[200~a\u{1B}[Ab\u{1B}[201~c", .paste("a\u{1B}[Ab"), .key(.character("c"))),
        Example(
            "\u{1B}[<0;3;4M",
            .mouse(MouseEvent(action: .press, button: .left, position: Position(column: 2, row: 3)))),
        Example(
            "\u{1B}[<2;3;4m",
            .mouse(MouseEvent(action: .release, button: .right, position: Position(column: 2, row: 3)))),
        Example(
            "\u{1B}[<65;1;1M",
            .mouse(MouseEvent(action: .scrollDown, button: .other, position: Position(column: 0, row: 0)))),
        Example(
            "\u{1B}[<33;9;1M",
            .mouse(MouseEvent(action: .drag, button: .middle, position: Position(column: 8, row: 0)))),
        Example("\u{1B}[M !!x", .key(.character("x"))),
    ]

    static let replies = [
        Example("\u{1B}[?63;1;2;4c", .reply(.attributes([63, 1, 2, 4]))),
        Example("\u{1B}[0n", .reply(.status)),
        Example("\u{1B}[?1;0;256S", .reply(.graphics(item: 1, status: 0, values: [256]))),
        Example("\u{1B}[?2;3S", .reply(.graphics(item: 2, status: 3, values: []))),
        Example("\u{1B}[4;408;640t", .reply(.textAreaPixels(PixelSize(width: 640, height: 408)))),
        Example("\u{1B}[6;17;8t", .reply(.cellPixels(PixelSize(width: 8, height: 17)))),
        Example("\u{1B}[8;24;80t"),
        Example("\u{1B}[?2026;2$y", .reply(.mode(2026, state: 2))),
        Example("\u{1B}[10;20R\u{1B}[?24;80R"),
        Example(
            "\u{1B}]11;rgb:ffff/8080/0000\u{1B}\\",
            .reply(.background(Color(red: 255, green: 128, blue: 0)))),
        Example("\u{1B}]11;#102030\u{7}", .reply(.background(Color(red: 16, green: 32, blue: 48)))),
        Example("\u{1B}]10;#102030\u{7}"),
        Example("\u{1B}P>|XTerm(379)\u{1B}\\", .reply(.version("XTerm(379)"))),
        Example("\u{1B}_Gi=31;OK\u{1B}\\", .reply(.kittyGraphics(id: 31, message: "OK"))),
        Example("\u{1B}[>41;379;0c"),
        Example("\u{1B}[?997;1n"),
        Example("\u{1B}]52;c;AAAA\u{7}"),
        Example("\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\", .reply(.rendition("0;48:2::1:2:3"))),
        Example("\u{1B}P1+r524742=38\u{1B}\\", .reply(.capability("524742"))),
        Example("\u{1B}P0$r\u{1B}\\"),
        Example("\u{1B}^private\u{1B}\\"),
        Example("\u{1B}[99999999999999999999;2u"), Example("\u{1B}[106;1:3u"), Example("\u{1B}[1;1:3B"),
        Example("\u{1B}[106;1:1u", .key(.character("j"))), Example("\u{1B}[1;1:2B", .key(.down)),
        Example("\u{1B}[1089::99;5u", .key(.control("c"))), Example("\u{1B}[1086;3u", .key(.alt("о"))),
        Example("\u{1B}[27;5;99~", .key(.control("c"))), Example("\u{1B}[27;2;9~", .key(.backTab)),
        Example("\u{1B}[27;2;13~", .key(.enter)), Example("\u{1B}[27;3;106~", .key(.alt("j"))),
        Example("\u{1B}[103;2u", .key(.character("G"))), Example("\u{1B}[103:71;2u", .key(.character("G"))),
        Example("\u{1B}[47:63;2u", .key(.character("?"))), Example("\u{1B}[47;2;63u", .key(.character("?"))),
        Example("\u{1B}[27;2;71~", .key(.character("G"))), Example("\u{1B}[27;1;106~", .key(.character("j"))),
        Example("\u{1B}[27;5~"), Example("\u{1B}[27;5;0~"),
    ]

    @Test(arguments: keys + others + replies)
    func `each example is parsed to its events`(example: Example) {
        var parser = InputParser()
        #expect(parser.parse(Array(example.input.utf8)) == example.events)
        #expect(!parser.isPending)
    }

    @Test(arguments: keys + others + replies)
    func `input split at any byte and between keys is parsed alike`(example: Example) {
        let bytes = Array(("j" + example.input + "k").utf8)
        let expected = [TerminalEvent.key(.character("j"))] + example.events + [.key(.character("k"))]
        for split in 0...bytes.count {
            var parser = InputParser()
            let events = parser.parse(bytes[..<split]) + parser.parse(bytes[split...])
            #expect(events == expected, "split at \(split)")
        }
    }

    @Test
    func `a lone ESC becomes the key only if nothing follows`() {
        var parser = InputParser()
        #expect(parser.parse([0x1B]).isEmpty)
        #expect(parser.isPending)
        #expect(parser.flush() == [.key(.escape)])
        #expect(parser.flush().isEmpty)
        #expect(parser.parse(Array("[A".utf8)) == [.key(.character("[")), .key(.character("A"))])
    }

    @Test
    func `pauses within an answer are waited for`() {
        var parser = InputParser()
        _ = parser.parse(Array("\u{1B}[?63;".utf8))
        #expect(parser.flush().isEmpty)
        #expect(parser.parse(Array("4c".utf8)) == [.reply(.attributes([63, 4]))])
    }

    @Test
    func `an unfinished sequence is dropped after twenty pauses`() {
        for beginning in ["\u{1B}[12", "\u{1B}]11;", "\u{1B}Pabc\u{1B}", "\u{C3}"] {
            var parser = InputParser()
            _ = parser.parse(Array(beginning.utf8))
            for _ in 0..<InputParser.flushLimit { #expect(parser.flush().isEmpty) }
            #expect(parser.parse(Array("q".utf8)) == [.key(.character("q"))])
        }
    }

    @Test
    func `an unterminated paste is delivered after twenty pauses`() {
        var parser = InputParser()
        _ = parser.parse(Array("\u{1B}[200~half".utf8))
        let events = (0..<InputParser.flushLimit).flatMap { _ in parser.flush() }
        #expect(events == [.paste("half")])
    }

    @Test
    func `a paste is cut at its limit and its end is still found`() throws {
        var parser = InputParser()
        let long = [UInt8](repeating: 0x61, count: InputParser.pasteLimit + 5000)
        let events = parser.parse(Array("\u{1B}[200~".utf8) + long + Array("\u{1B}[201~z".utf8))
        guard case .paste(let text) = try #require(events.first) else {
            Issue.record("no paste")
            return
        }
        #expect(text.utf8.count == InputParser.pasteLimit)
        #expect(events.dropFirst().elementsEqual([.key(.character("z"))]))
    }

    @Test
    func `only a control string that is too long is dropped`() {
        var parser = InputParser()
        let long = String(repeating: "f", count: InputParser.stringLimit + 1)
        #expect(parser.parse(Array("\u{1B}]11;\(long)\u{7}x".utf8)) == [.key(.character("x"))])
    }

    @Test
    func `keys are parsed again after 64 KiB of an unterminated control string`() {
        var parser = InputParser()
        let endless = [UInt8](repeating: 0x66, count: InputParser.unterminatedStringLimit + InputParser.stringLimit)
        _ = parser.parse(Array("\u{1B}P".utf8) + endless)
        #expect(parser.parse([0x71]) == [.key(.character("q"))])
    }

    @Test
    func `control-C is a key even within an unfinished sequence`() {
        var parser = InputParser()
        #expect(parser.parse(Array("\u{1B}[12\u{3}".utf8)) == [.key(.control("c"))])
    }

    @Test
    func `invalid UTF-8 and C1 controls are dropped without losing the next key`() {
        var parser = InputParser()
        #expect(parser.parse([0xFF, 0x80, 0xC3, 0x61]) == [.key(.character("a"))])
        #expect(parser.parse([0xC2, 0x9B, 0xE0, 0x80, 0x80, 0x62]) == [.key(.character("b"))])
    }

    @Test(arguments: [1, 2, 3])
    func `a megabyte of garbage gives bounded events and the parser keeps working`(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var parser = InputParser()
        var events = 0
        for _ in 0..<256 {
            let block = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
            events += parser.parse(block).count
            #expect(InputParserTests.held(by: parser) <= InputParser.pasteLimit + 64)
        }
        #expect(events <= 1 << 20)
        _ = parser.parse(Array("\u{1B}[201~\u{18}\u{1B}\\".utf8))
        for _ in 0..<InputParser.flushLimit { _ = parser.flush() }
        #expect(parser.parse(Array("\u{1B}[A".utf8)) == [.key(.up)])
    }

    @Test(arguments: [4, 5])
    func `garbage inside complete sequences never becomes keys`(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let body = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                Unicode.Scalar(UInt8.random(in: 0x30...0x3B, using: &generator))
            }
            let digits = body.reduce(into: "") { $0.unicodeScalars.append($1) }
            let finals = ["c", "$y", "S"].map { "\u{1B}[?\(digits)\($0)" }
            for sequence in finals + ["\u{1B}]11;\(digits)\u{7}"] {
                var parser = InputParser()
                let keys = parser.parse(Array(sequence.utf8)).filter { if case .key = $0 { true } else { false } }
                #expect(keys.isEmpty, "\(sequence.debugDescription)")
            }
        }
    }

    private static func held(by parser: InputParser) -> Int {
        switch parser.state {
        case .control(let bytes), .string(_, let bytes, _, _), .paste(let bytes): bytes.count
        default: 0
        }
    }
}

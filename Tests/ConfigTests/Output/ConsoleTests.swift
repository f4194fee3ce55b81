import Foundation
import Glibc
import ProgramTestSupport
import TestSupport
import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct ConsoleTests {
    private static let hostile = "a\u{1B}[2J\u{9B}31m\u{202E}b\nc"

    @Test func `control characters are removed, and output and messages go to their own streams`() throws {
        let captured = try CapturedConsole()
        captured.console.output(Self.hostile)
        captured.console.message(Self.hostile)
        captured.console.prompt("sure\u{1B}? ")
        for text in [try captured.output, try captured.messages] {
            #expect(!text.contains("\u{1B}") && !text.contains("\u{9B}") && !text.contains("\u{202E}"))
            #expect(text.filter { $0 == "\n" }.count == 1)
        }
        #expect(try captured.output.hasPrefix("a") && captured.output.hasSuffix("c\n"))
        #expect(try captured.messages.hasSuffix("\nsure\u{FFFD}? "))
    }

    @Test func `raw bytes and progress sequences are written unchanged`() throws {
        let captured = try CapturedConsole()
        captured.console.output(bytes: [0x1B, 0x50, 0, 255])
        captured.console.progress("\u{1B}[2A")
        #expect(try captured.bytes == [0x1B, 0x50, 0, 255])
        #expect(try captured.messages == "\u{1B}[2A")
    }

    @Test func `files are not terminals and have the default size 80 by 24`() throws {
        // Its files are open as long as it lives.
        let captured = try CapturedConsole()
        withExtendedLifetime(captured) {
            let console = captured.console
            #expect(!console.outputIsTerminal && !console.inputIsTerminal && !console.errorIsTerminal)
            #expect(console.terminalSize == (80, 24))
        }
    }

    @Test func `a terminal is recognized and its size is read`() throws {
        let terminal = try TerminalPair(columns: 132, rows: 43)
        defer { terminal.close() }
        let console = Console(input: terminal.slave, output: terminal.slave, error: terminal.slave)
        #expect(console.outputIsTerminal && console.inputIsTerminal && console.errorIsTerminal)
        #expect(console.terminalSize == (132, 43))
    }

    @Test func `output larger than the pipe buffer is written completely`() async throws {
        // Given a pipe that takes 64 KiB at a time
        let pipe = Pipe()
        let bytes = (0..<300_000).map { UInt8($0 % 251) }
        // When more is written while somebody reads
        let reading = Task { @concurrent in pipe.fileHandleForReading.readDataToEndOfFile() }
        Console(output: pipe.fileHandleForWriting.fileDescriptor).output(bytes: bytes)
        try pipe.fileHandleForWriting.close()
        // Then nothing is missing
        #expect(await reading.value == Data(bytes))
    }

    @Test func `writing to a closed output is ignored`() throws {
        Console(output: -1, error: -1).output("into nothing")
    }
}

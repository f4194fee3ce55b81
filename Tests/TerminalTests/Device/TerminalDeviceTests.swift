import AlcedoBrowserCore
import AlcedoScreen
import Glibc
import Raster
import TerminalGraphics
import TestSupport
import Testing

@testable import AlcedoTerminal

extension OneScreenAtATime {
    @Suite("The terminal device", .timeLimit(.minutes(1)))
    @MainActor
    struct TerminalDeviceTests {
        private static let variables = ["TERM": "xterm-256color"]
        /// A terminal with sixel and synchronized output that answers at once.
        private static let sixel: PseudoTerminal.Answers = [
            ("\u{1B}[?2026$p", "\u{1B}[?2026;2$y"), ("\u{1B}[16t", "\u{1B}[6;20;10t"),
            ("\u{1B}[5n", "\u{1B}[0n"), ("\u{1B}[c", "\u{1B}[?62;4c"),
        ]

        private func frame(_ text: String, size: GridSize = GridSize(columns: 80, rows: 24)) -> Frame {
            var frame = Frame(size: size)
            for (column, character) in text.enumerated() { frame[column, 0] = Cell(character) }
            return frame
        }

        private func picture(_ id: Int, column: Int = 10, row: Int = 2, length: Int = 0) -> TerminalPicture {
            let padding = String(repeating: "~", count: length)
            return TerminalPicture(
                picture: PictureID(id), rect: Rect(column: column, row: row, columns: 4, rows: 3),
                bytes: Array("\u{1B}P0;1;0q\"1;1;40;60#0;2;\(id);0;0#0\(padding)\u{1B}\\".utf8))
        }

        /// Waits until the device has learned what the terminal can.
        private func learned(_ device: TerminalDevice) async -> TerminalCapabilities? {
            for await case .capabilitiesChanged(let known) in device.events { return known }
            return nil
        }

        @Test
        func `close restores the terminal exactly and switches off every mode`() async throws {
            let terminal = try PseudoTerminal()
            let before = terminal.modes
            let device = try TerminalDevice(
                path: terminal.path, variables: Self.variables, settings: TerminalSettings(mouse: true))
            #expect(terminal.modes != before)
            let entered = await terminal.read { $0.hasSuffix("\u{1B}[c") }
            device.close()
            device.close()
            #expect(terminal.modes == before)
            let all = await terminal.read(after: entered) { $0.hasSuffix("\u{1B}[?1049l") }
            var model = ScreenModel(columns: 80, rows: 24)
            model.feed(Array(entered.utf8))
            #expect(model.modes.isSuperset(of: [1049, 2004, 1004, 1002, 1006]) && !model.modes.contains(25))
            model.feed(Array(all.dropFirst(entered.count).utf8))
            #expect(model.settings == TerminalManners())
        }

        @Test
        func `capabilities are learned from the answers, and keys typed meanwhile are delivered`() async throws {
            let terminal = try PseudoTerminal(answers: [("\u{1B}[16t", "j")] + Self.sixel)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            var keys: [TerminalEvent] = []
            for await event in device.events {
                if case .key = event { keys.append(event) }
                if case .capabilitiesChanged(let known) = event {
                    #expect(known.graphics.method == .sixel)
                    #expect(known.synchronizedOutput)
                    #expect(known == device.capabilities)
                    break
                }
            }
            #expect(keys == [.key(.character("j"))])
            device.close()
        }

        @Test
        func `a lone ESC becomes the key after its time, even while much is written`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            let writing = Task {
                var number = 0
                while !Task.isCancelled {
                    number += 1
                    device.present(frame("\(number)"), pictures: [])
                    await Task.yield()
                }
            }
            terminal.type("\u{1B}")
            var key: TerminalEvent?
            for await event in device.events {
                guard case .key = event else { continue }
                key = event
                break
            }
            #expect(key == .key(.escape))
            writing.cancel()
            await writing.value
            device.close()
        }

        @Test
        func `text is sent before the picture, in one synchronized update with a status query`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            device.present(frame("hello"), pictures: [picture(7)])
            let output = await terminal.read { $0.hasSuffix("\u{1B}[5n") }
            let order = [
                "\u{1B}[?2026h", "hello", "\u{1B}7", "\u{1B}[3;11H\u{1B}P", "\u{1B}8", "\u{1B}[?2026l\u{1B}[5n",
            ]
            var rest = output[...]
            for part in order {
                let range = try #require(rest.firstRange(of: part), "\(part.debugDescription)")
                rest = rest[range.upperBound...]
            }
            var model = ScreenModel(columns: 80, rows: 24)
            model.feed(Array(output.utf8))
            #expect(model.pixelCells == 12)
            #expect(model.line(0) == "hello")
            device.close()
        }

        @Test
        func `the cursor is hidden while pictures are drawn`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            var frame = frame("hello")
            frame.cursor = Position(column: 3, row: 0)
            device.present(frame, pictures: [picture(7)])
            let output = await terminal.read { $0.hasSuffix("\u{1B}[5n") }
            var rest = output[...]
            for part in ["\u{1B}7\u{1B}[?25l", "\u{1B}P", "\u{1B}8\u{1B}[?25h"] {
                let range = try #require(rest.firstRange(of: part), "\(part.debugDescription)")
                rest = rest[range.upperBound...]
            }
            device.close()
        }

        @Test
        func `everything is redrawn when the graphics method changes`()
            async throws
        {
            let terminal = try PseudoTerminal()
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            device.present(frame("a"), pictures: [picture(1)])
            let before = await terminal.read { $0.contains("#0;2;1;") }
            terminal.type("\u{1B}[?62;4c")
            #expect(await learned(device)?.graphics.method == .sixel)
            device.present(frame("b"), pictures: [picture(2)])
            let output = await terminal.read(after: before) { $0.contains("#0;2;2;") }
            #expect(output.dropFirst(before.count).contains("\u{1B}[2J"))
            device.close()
        }

        @Test
        func `an unchanged frame sends nothing, changed text sends only text`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            device.present(frame("one"), pictures: [picture(7)])
            let first = await terminal.read { $0.hasSuffix("\u{1B}[5n") }
            device.present(frame("one"), pictures: [picture(7)])
            device.present(frame("two"), pictures: [picture(7)])
            let all = await terminal.read(after: first) { $0.dropFirst(first.count).contains("two") }
            #expect(!all.dropFirst(first.count).contains("\u{1B}P"))
            device.close()
        }

        @Test
        func `pictures outside the window and frames of another size are not drawn`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            let larger = frame("larger", size: GridSize(columns: 120, rows: 40))
            device.present(larger, pictures: [picture(4)])
            device.present(frame("x"), pictures: [picture(1, column: 80), picture(2, row: 23), picture(3)])
            let output = await terminal.read { $0.hasSuffix("\u{1B}[5n") }
            #expect(output.contains("#0;2;3;"))
            #expect(!output.contains("#0;2;1;") && !output.contains("#0;2;2;"))
            #expect(!output.contains("larger") && !output.contains("#0;2;4;"))
            device.close()
        }

        @Test
        func `the next picture waits for the acknowledgement of the last, and only the latest is sent`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel.filter { $0.question != "\u{1B}[5n" })
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            device.present(frame("a"), pictures: [picture(1)])
            var output = await terminal.read { $0.hasSuffix("\u{1B}[5n") }
            #expect(device.isBusy)
            device.present(frame("b"), pictures: [picture(2)])
            device.present(frame("c"), pictures: [picture(3)])
            output = await terminal.read(after: output) { $0.contains("\u{1B}[?2026hc") }
            #expect(!output.contains("#0;2;2;") && !output.contains("#0;2;3;"))
            terminal.type("\u{1B}[0n")
            output = await terminal.read(after: output) { $0.hasSuffix("\u{1B}[5n") && $0.contains("#0;2;3;") }
            #expect(!output.contains("#0;2;2;"))
            device.close()
        }

        @Test func `several pictures and the text that names them change together`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel.filter { $0.question != "\u{1B}[5n" })
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            device.present(frame("a"), pictures: [picture(1), picture(2, row: 8)])
            var output = await terminal.read { $0.contains("#0;2;2;") && $0.hasSuffix("\u{1B}[5n") }
            // When other pictures come before the terminal has drawn these, their names wait for them
            device.present(frame("b"), pictures: [picture(3), picture(4, row: 8)])
            // But not those beside the same pictures
            device.present(frame("c"), pictures: [picture(1), picture(2, row: 8)])
            output = await terminal.read(after: output) {
                $0.hasSuffix("\u{1B}[?2026l") && $0.contains("\u{1B}[?2026hc")
            }
            #expect(!output.contains("\u{1B}[?2026hb"))
            device.present(frame("d"), pictures: [picture(5), picture(6, row: 8)])
            terminal.type("\u{1B}[0n")
            let before = output
            output = await terminal.read(after: output) { $0.hasSuffix("\u{1B}[5n") && $0.contains("#0;2;6;") }
            #expect(output.dropFirst(before.count).hasPrefix("\u{1B}[?2026hd"))
            device.close()
        }

        @Test
        func `through a multiplexer the picture waits for the acknowledgement of the text`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel.filter { $0.question != "\u{1B}[5n" })
            let device = try TerminalDevice(
                path: terminal.path, variables: ["TERM": "screen-256color"],
                settings: TerminalSettings(graphics: .sixel))
            _ = await learned(device)
            #expect(device.capabilities.passesThrough)
            device.present(frame("text"), pictures: [picture(1)])
            var output = await terminal.read { $0.contains("text") && $0.hasSuffix("\u{1B}[5n") }
            #expect(!output.contains("\u{1B}P"))
            let before = output
            terminal.type("\u{1B}[0n")
            output = await terminal.read(after: output) { $0.contains("#0;2;1;") && $0.hasSuffix("\u{1B}[5n") }
            #expect(!output.dropFirst(before.count).contains("text"))
            device.close()
        }

        @Test
        func `a replaced picture is removed after the new one, an unwanted one first, all at the end`()
            async throws
        {
            let terminal = try PseudoTerminal(answers: Self.sixel)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            var (one, two) = (picture(1), picture(2))
            (one.removal, two.removal) = (Array("\u{1B}_Ga=d1\u{1B}\\".utf8), Array("\u{1B}_Ga=d2\u{1B}\\".utf8))
            device.present(frame("a"), pictures: [one])
            var output = await terminal.read { $0.contains("#0;2;1;") && $0.hasSuffix("\u{1B}[5n") }
            for await case .reply(.status) in device.events { break }
            device.present(frame("b"), pictures: [two])
            output = await terminal.read(after: output) { $0.contains("#0;2;2;") && $0.hasSuffix("\u{1B}[5n") }
            #expect(output.contains("#0;2;2;0;0#0\u{1B}\\\u{1B}8\u{1B}_Ga=d1"))
            device.present(frame("c"), pictures: [])
            output = await terminal.read(after: output) { $0.contains("\u{1B}_Ga=d2") && $0.hasSuffix("\u{1B}[?2026l") }
            #expect(output.contains("\u{1B}[?2026h\u{1B}_Ga=d2"))
            device.present(frame("d"), pictures: [one])
            output = await terminal.read(after: output) { $0.hasSuffix("\u{1B}[5n") }
            let before = output
            device.close()
            output = await terminal.read(after: output) { $0.hasSuffix("\u{1B}[?1049l") }
            let end = output.dropFirst(before.count)
            let removal = try #require(end.firstRange(of: "\u{1B}_Ga=d1"))
            #expect(end[removal.upperBound...].contains("\u{1B}_Ga=d,q=2,d=A\u{1B}\\"))
        }

        @Test func `Konsole gets the screen cleared when a picture is removed`()
            async throws
        {
            let konsole = Self.sixel + [("\u{1B}[>q", "\u{1B}P>|Konsole 22.12.3\u{1B}\\")]
            let terminal = try PseudoTerminal(answers: konsole)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            while device.capabilities.version.isEmpty { _ = await learned(device) }
            device.present(frame("a"), pictures: [picture(1)])
            var output = await terminal.read { $0.contains("#0;2;1;") && $0.hasSuffix("\u{1B}[5n") }
            for await case .reply(.status) in device.events { break }
            device.present(frame("b"), pictures: [picture(2)])
            var seen = output.count
            output = await terminal.read(after: output) { $0.contains("#0;2;2;") && $0.hasSuffix("\u{1B}[5n") }
            #expect(!output.dropFirst(seen).contains("\u{1B}[2J"))
            for await case .reply(.status) in device.events { break }
            seen = output.count
            device.present(frame("c"), pictures: [picture(3, column: 20)])
            output = await terminal.read(after: output) { $0.contains("#0;2;3;") && $0.hasSuffix("\u{1B}[5n") }
            #expect(output.dropFirst(seen).contains("\u{1B}[2J"))
            device.close()
        }

        @Test
        func `a picture being sent is cut off when a newer frame does not need it`() async throws {
            let terminal = try PseudoTerminal(isReading: false)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            device.present(frame("a"), pictures: [picture(1, length: 4_000_000)])
            // Modes, questions and text are less than that: the picture has begun.
            await until { terminal.unreadCount >= 4000 }
            device.present(frame("newer"), pictures: [])
            terminal.startReading()
            let output = await terminal.read { $0.contains("newer") }
            #expect(output.utf8.count < 1_000_000)
            #expect(output.contains("~\u{18}\u{1B}\\"))
            var model = ScreenModel(columns: 80, rows: 24)
            model.feed(Array(output.utf8))
            #expect(model.line(0) == "newer")
            #expect(model.pixelCells == 0)
            device.close()
        }

        @Test
        func `a blocked terminal does not block the program, and its modes are restored`() async throws {
            let terminal = try PseudoTerminal(isReading: false)
            let before = terminal.modes
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            for number in 0..<100 {
                device.present(frame("\(number)"), pictures: [picture(number, length: 1_000_000)])
                await Task.yield()
            }
            #expect(device.isBusy)
            device.close()
            #expect(terminal.modes == before)
        }

        @Test
        func `a resize is reported and the next frame is drawn completely`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            terminal.resize(columns: 60, rows: 20)
            kill(getpid(), SIGWINCH)
            let size = GridSize(columns: 60, rows: 20)
            for await case .resized(let grid, let cell) in device.events {
                #expect(grid == size)
                #expect(cell == CellSize(width: 10, height: 20))
                break
            }
            device.present(frame("fits", size: size), pictures: [])
            let output = await terminal.read { $0.contains("fits") }
            #expect(output.contains("\u{1B}[2J"))
            device.close()
        }

        @Test
        func `signals are delivered as events`() async throws {
            let terminal = try PseudoTerminal()
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            kill(getpid(), SIGTERM)
            var received: TerminalSignal?
            for await case .signal(let signal) in device.events {
                received = signal
                break
            }
            #expect(received == .terminate)
            device.close()
        }

        @Test
        func `another theme is used at once, in the variant for the reported background`()
            async throws
        {
            let terminal = try PseudoTerminal(
                answers: [("\u{1B}]11;?", "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}")] + Self.sixel)
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            _ = await learned(device)
            #expect(device.theme == .light)
            #expect(device.capabilities.themeBackground == nil && device.capabilities.visibleBackground == .white)
            device.setTheme(.highContrast)
            #expect(device.theme == .highContrastOnLight)
            device.setTheme(ThemeChoice(.paintedDark))
            #expect(device.capabilities.visibleBackground == Theme.paintedDark.background)
            device.close()
        }

        @Test
        func `NO_COLOR overrides every theme`() throws {
            let terminal = try PseudoTerminal()
            let variables = Self.variables.merging(["NO_COLOR": "1"]) { $1 }
            let device = try TerminalDevice(
                path: terminal.path, variables: variables, settings: TerminalSettings(theme: .highContrast))
            #expect(device.theme == .monochrome)
            device.setTheme(.auto)
            #expect(device.theme == .monochrome)
            device.close()
        }

        @Test
        func `a second device is refused and the first one is unaffected`() async throws {
            let terminal = try PseudoTerminal()
            let device = try TerminalDevice(path: terminal.path, variables: Self.variables)
            #expect(throws: TerminalError.alreadyOpen) {
                _ = try TerminalDevice(path: terminal.path, variables: Self.variables)
            }
            device.present(frame("still here"), pictures: [])
            let output = await terminal.read { $0.contains("still here") }
            #expect(output.contains("still here"))
            device.close()
        }

        @Test func `an answer during closing is consumed and ends the wait`() async throws {
            // Given a terminal far away that answers no sooner than it is given back
            let terminal = try PseudoTerminal(answers: [("\u{1B}[?1049l", "\u{1B}[?62;4c")])
            let variables = Self.variables.merging(["SSH_TTY": "/dev/pts/1"]) { $1 }
            let device = try TerminalDevice(path: terminal.path, variables: variables)
            _ = await terminal.read { $0.hasSuffix("\u{1B}[c") }
            // When it is left within the first round of questions
            let start = ContinuousClock.now
            device.close()
            // Then the wait, of 3 s at most, ends with the answer
            #expect(ContinuousClock.now - start < .seconds(2))
        }

        @Test
        func `a device without a screen does not change screen and output modes`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel)
            let before = terminal.modes
            let device = try TerminalDevice(
                path: terminal.path, variables: Self.variables, settings: TerminalSettings(usesScreen: false))
            #expect(terminal.modes[1] == before[1])
            _ = await learned(device)
            device.close()
            #expect(terminal.modes == before)
            #expect(device.report.contains { $0 == ("sixel", "yes: DA1 lists attribute 4") })
        }

        @Test func `a terminal that cannot place text is complete at once and receives nothing`() async throws {
            let terminal = try PseudoTerminal(answers: Self.sixel)
            let device = try TerminalDevice(
                path: terminal.path, variables: ["TERM": "dumb"], settings: TerminalSettings(usesScreen: false))
            #expect(device.capabilities.isComplete)
            #expect(device.capabilities.graphics.method == .blocks)
            device.close()
            #expect(terminal.unreadCount == 0)
            let output = await terminal.read { _ in true }
            #expect(output.isEmpty)
        }

        @Test
        func `an unusable terminal is reported with the reason`() throws {
            let terminal = try PseudoTerminal()
            #expect(throws: TerminalError.noTerminal) {
                _ = try TerminalDevice(path: "/dev/null", variables: Self.variables)
            }
            #expect(throws: TerminalError.incapable(terminal: "dumb")) {
                _ = try TerminalDevice(path: terminal.path, variables: ["TERM": "dumb"])
            }
        }

        @Test(arguments: ["xterm-ghostty", "wezterm-x", "no-such"])
        func `a terminal that the database lacks is drawn like xterm-256color`(name: String) throws {
            let terminal = try PseudoTerminal()
            let device = try TerminalDevice(path: terminal.path, variables: ["TERM": name])
            defer { device.close() }
            #expect(device.capabilities.substituteEntry == "xterm-256color")
            let said = ("terminal database", "xterm-256color, as it has no entry for TERM")
            #expect(device.report.contains { $0 == said })
        }

        @Test(arguments: ["xterm", "xterm-256color", "linux", "vt100"])
        func `a terminal that the database has is drawn by its own entry`(name: String) throws {
            let terminal = try PseudoTerminal()
            let device = try TerminalDevice(path: terminal.path, variables: ["TERM": name])
            defer { device.close() }
            #expect(device.capabilities.substituteEntry == nil)
        }
    }
}

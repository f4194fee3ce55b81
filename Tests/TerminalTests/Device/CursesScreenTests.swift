import AlcedoBrowserCore
import AlcedoScreen
import Foundation
import Glibc
import Raster
import TestSupport
import Testing

@testable import AlcedoTerminal

extension OneScreenAtATime {
    @Suite("The curses screen")
    @MainActor
    struct CursesScreenTests {
        private let size = GridSize(columns: 40, rows: 12)
        private let screen: CursesScreen

        init() throws {
            screen = try CursesScreen(terminals: ["xterm-256color"], size: size)
        }

        private func frame(_ lines: [String], size: GridSize? = nil) -> Frame {
            var frame = Frame(size: size ?? self.size)
            for (row, line) in lines.enumerated() {
                for (column, character) in line.enumerated() where column < frame.size.columns && row < frame.size.rows
                {
                    frame[column, row] = Cell(character)
                }
            }
            return frame
        }

        private func model() -> ScreenModel { ScreenModel(columns: size.columns, rows: size.rows) }

        private func sixel(in rect: Rect) -> [UInt8] {
            let body = "\u{1B}P0;1;0q\"1;1;\(rect.columns * 10);\(rect.rows * 20)#0;2;1;0;0#0~\u{1B}\\"
            return [ControlSequence.saveCursor, .move(to: Position(column: rect.column, row: rect.row))].bytes
                + Array(body.utf8)
                + ControlSequence.restoreCursor.bytes
        }

        @Test
        func `text is drawn up to the last cell`() {
            var model = model()
            var full = frame(Array(repeating: String(repeating: "x", count: 40), count: 12))
            full[39, 11] = Cell("!")
            model.feed(screen.draw(full, pictures: []))
            #expect(model.line(0) == String(repeating: "x", count: 40))
            #expect(model.line(11) == String(repeating: "x", count: 39) + "!")
            #expect(model.unknown.isEmpty)
        }

        @Test func `the bytes of a change are told row by row`() {
            _ = screen.draw(frame(["hello", "", "world"]), pictures: [])
            let rows = screen.rows(of: frame(["hallo", "", "word"]), pictures: [])
            let changed = rows.filter { !$0.bytes.isEmpty }
            #expect(changed.map(\.row).prefix(2) == [0, 2])
            #expect(String(decoding: changed[0].bytes, as: UTF8.self).contains("a"))
        }

        @Test
        func `an unchanged frame sends nothing`() {
            let hello = frame(["hello"])
            #expect(!screen.draw(hello, pictures: []).isEmpty)
            #expect(screen.draw(hello, pictures: []).isEmpty)
        }

        @Test
        func `a small change sends few bytes`() {
            _ = screen.draw(frame(["hello", "world"]), pictures: [])
            #expect(screen.draw(frame(["hello", "wOrld"]), pictures: []).count < 16)
        }

        @Test
        func `drawing never switches to the alternate screen or scrolls`() {
            var model = model()
            for step in 0..<12 {
                model.feed(screen.draw(frame((0..<12).map { "line \($0 + step)" }), pictures: []))
            }
            #expect(!model.modes.contains(1049))
            #expect(model.line(3) == "line 14")
            #expect(model.unknown.isEmpty)
        }

        @Test
        func `a stop signal during drawing is not lost`() {
            var stop = sigset_t()
            sigemptyset(&stop)
            sigaddset(&stop, SIGTSTP)
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, &stop, &mask)
            raise(SIGTSTP)
            _ = screen.draw(frame(["a", "b"]), pictures: [])
            _ = screen.draw(frame(["c", "d"]), pictures: [])
            var waiting = sigset_t()
            sigpending(&waiting)
            let isKept = sigismember(&waiting, SIGTSTP) == 1
            var taken: Int32 = 0
            if isKept { sigwait(&stop, &taken) }
            pthread_sigmask(SIG_SETMASK, &mask, nil)
            #expect(isKept)
        }

        @Test
        func `wide characters take two cells; characters that do not fit become question marks`() {
            var model = model()
            var text = frame(["  x"])
            text[0, 0] = Cell("日")
            text[1, 0] = Cell(nil)
            text[5, 0] = Cell("日")
            text[7, 0] = Cell("e\u{301}")
            text[8, 0] = Cell("\u{1B}")
            model.feed(screen.draw(text, pictures: []))
            #expect(model.line(0).hasPrefix("日x  ? e\u{301}"))
            #expect(model.line(0).hasSuffix("?"))
        }

        @Test
        func `the cursor is shown where the frame says, and hidden otherwise`() {
            var model = model()
            var text = frame(["name:"])
            text.cursor = Position(column: 6, row: 0)
            model.feed(screen.draw(text, pictures: []))
            #expect(model.modes.contains(25))
            #expect(model.cursor == (6, 0))
            text.cursor = nil
            model.feed(screen.draw(text, pictures: []))
            #expect(!model.modes.contains(25))
        }

        @Test
        func `text around a picture changes without touching its pixels`() {
            var model = model()
            let rect = Rect(column: 10, row: 2, columns: 12, rows: 6)
            model.feed(screen.draw(frame([]), pictures: [rect]))
            model.feed(sixel(in: rect))
            #expect(model.pixelCells == 72)
            var generator = SeededRandom(seed: 9)
            for _ in 0..<200 {
                var text = frame([])
                for row in 0..<12 {
                    for column in 0..<40 where !(10..<22).contains(column) || !(2..<8).contains(row) {
                        if Int.random(in: 0..<3, using: &generator) == 0 { text[column, row] = Cell("a") }
                    }
                }
                model.feed(screen.draw(text, pictures: [rect]))
            }
            #expect(model.pixelCells == 72)
            #expect(model.unknown.isEmpty)
        }

        @Test
        func `when a picture is removed or moved its cells are first cleared with spaces`() {
            var model = model()
            let rect = Rect(column: 10, row: 2, columns: 12, rows: 6)
            model.feed(screen.draw(frame([]), pictures: [rect]))
            model.feed(sixel(in: rect))
            let moved = Rect(column: 16, row: 2, columns: 12, rows: 6)
            model.feed(screen.draw(frame(["", "", "left text"]), pictures: [moved]))
            #expect(model.pixelCells == 36)
            let bytes = screen.draw(frame(["", "", "left text that is long"]), pictures: [])
            #expect(bytes.starts(with: [ControlSequence.saveCursor, .resetStyle].bytes))
            model.feed(bytes)
            #expect(model.pixelCells == 0)
            #expect(model.line(2) == "left text that is long")
        }

        @Test
        func `a picture hides the text in its place and reveals it when removed`() {
            var model = model()
            let text = frame(["", "", "  under the picture  and beside"])
            let rect = Rect(column: 0, row: 0, columns: 20, rows: 6)
            model.feed(screen.draw(text, pictures: [rect]))
            model.feed(sixel(in: rect))
            #expect(model.pixelCells == 120)
            #expect(model.line(2) == String(repeating: " ", count: 20) + "  and beside".dropFirst())
            model.feed(screen.draw(text, pictures: []))
            #expect(model.pixelCells == 0)
            #expect(model.line(2) == "  under the picture  and beside")
        }

        @Test
        func `after invalidate the whole screen is drawn again`() {
            let hello = frame(["hello"])
            _ = screen.draw(hello, pictures: [])
            screen.invalidate()
            var model = model()
            model.feed(screen.draw(hello, pictures: []))
            #expect(model.line(0) == "hello")
        }

        @Test
        func `after a resize frames of the new size are drawn`() {
            _ = screen.draw(frame(["x"]), pictures: [])
            let size = GridSize(columns: 20, rows: 5)
            screen.resize(to: size)
            var model = ScreenModel(columns: 20, rows: 5)
            let lines = Array(repeating: String(repeating: "y", count: 20), count: 5)
            model.feed(screen.draw(frame(lines, size: size), pictures: []))
            #expect(model.line(4) == lines[4])
        }

        @Test
        func `styles become colours and bold, and only attributes without colours`() throws {
            var text = frame(["a"])
            text[0, 0] = Cell("a", style: Style(.error, background: .selection, bold: true))
            let colored = String(decoding: screen.draw(text, pictures: []), as: UTF8.self)
            #expect(colored.contains("38;5;203"))
            #expect(colored.contains("48;5;235"))
            #expect(colored.contains("\u{1B}[0;1m"))
            let plain = try CursesScreen(terminals: ["xterm-256color"], size: size, theme: .monochrome)
            let bare = String(decoding: plain.draw(text, pictures: []), as: UTF8.self)
            #expect(!bare.contains("38;5"))
            #expect(bare.contains("\u{1B}[0;1;7m"))
        }

        /// What one cell of a style is sent as.
        private func sent(_ style: Style, on screen: CursesScreen) -> String {
            var text = frame(["a"])
            text[0, 0] = Cell("a", style: style)
            screen.invalidate()
            return String(decoding: screen.draw(text, pictures: []), as: UTF8.self)
        }

        @Test(
            arguments: [
                (Style(.error), "\u{1B}[0;1m"), (Style(.warn), "\u{1B}[0;1m"), (Style(.accent), "\u{1B}[0;1m"),
                (Style(.dim), "\u{1B}[0;2m"), (Style(.divider), "\u{1B}[0;2m"),
                (Style(.ok, background: .selection), "\u{1B}[0;7m"),
            ])
        func `without colours failures are bold, dim text is faint and the selection is reversed`(
            style: Style, attributes: String
        ) throws {
            let plain = try CursesScreen(terminals: ["xterm-256color"], size: size, theme: .monochrome)
            #expect(sent(style, on: plain).contains(attributes))
            // Colours say it where there are some.
            #expect(!sent(style, on: screen).contains(attributes))
        }

        @Test
        func `a terminal with eight colours gets hues, and attributes for greys`() throws {
            let few = try CursesScreen(terminals: ["xterm-color"], size: size)
            #expect(sent(Style(.error), on: few).contains("\u{1B}[31m"))
            #expect(sent(Style(.text, background: .selection), on: few).contains("\u{1B}[44m"))
            #expect(!sent(Style(.dim), on: few).contains("\u{1B}[3"))
        }

        @Test(arguments: ["xterm-16color", "xterm-color"])
        func `marked rows are bold where they have no background of their own`(terminal: String) throws {
            let few = try CursesScreen(terminals: [terminal], size: size)
            let style = Style(.text, background: .mark)
            #expect(sent(style, on: few).contains("\u{1B}[0;1m") || sent(style, on: few).contains("\u{1B}[1m"))
            #expect(!sent(style, on: screen).contains("\u{1B}[0;1m"))
        }

        @Test
        func `another theme redraws the screen in its colours, or without any`() {
            var text = frame(["a"])
            text[0, 0] = Cell("a", style: Style(.error))
            _ = screen.draw(text, pictures: [])
            screen.setTheme(Theme(colors: [.error: ThemeColor(number: 99)]), hasTrueColor: false)
            #expect(String(decoding: screen.draw(text, pictures: []), as: UTF8.self).contains("38;5;99"))
            screen.setTheme(.monochrome, hasTrueColor: false)
            let bare = String(decoding: screen.draw(text, pictures: []), as: UTF8.self)
            #expect(bare.contains("a") && !bare.contains("38;5"))
        }

        @Test(.timeLimit(.minutes(2)))
        func `every database entry that can move the cursor draws text in place`() throws {
            let names = Self.databaseEntries()
            #expect(names.contains("linux") && names.contains("vt100"))
            var refused: [String] = []
            for name in names {
                guard let screen = try? CursesScreen(terminals: [name], size: size) else {
                    refused.append(name)
                    continue
                }
                let text = String(decoding: screen.draw(frame(["", "", "word"]), pictures: []), as: UTF8.self)
                if !text.contains("word") { refused.append("\(name), without the text") }
            }
            #expect(refused.filter { Self.canMoveCursor($0) } == [])
        }

        /// The names of all entries of `ncurses-base` and, where it is installed, `ncurses-term`.
        private static func databaseEntries() -> Set<String> {
            let files = FileManager.default
            return ["/lib/terminfo", "/usr/share/terminfo", "/etc/terminfo"].reduce(into: []) { names, folder in
                for letter in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
                    names.formUnion((try? files.contentsOfDirectory(atPath: "\(folder)/\(letter)")) ?? [])
                }
            }
        }

        private static func canMoveCursor(_ name: String) -> Bool {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/infocmp")
            process.arguments = ["-1", name]
            process.standardOutput = output
            guard (try? process.run()) != nil else { return true }
            let data = try? output.fileHandleForReading.readToEnd()
            process.waitUntilExit()
            return String(decoding: data ?? Data(), as: UTF8.self).contains("\tcup=")
        }

        @Test func `a truecolor terminal gets exact theme colours`() throws {
            let full = try CursesScreen(terminals: ["xterm-256color"], size: size, hasTrueColor: true)
            #expect(sent(Style(.text, background: .selection), on: full).contains("\u{1B}[48;2;15;46;53m"))
            #expect(sent(Style(.error), on: full).contains("\u{1B}[38;5;203m"))
            full.setTheme(
                Theme(colors: [.error: ThemeColor(Color(red: 1, green: 200, blue: 3))]), hasTrueColor: true)
            #expect(sent(Style(.error), on: full).contains("\u{1B}[38;2;1;200;3m"))
            full.setTheme(
                Theme(colors: [
                    .error: ThemeColor(Color(red: 1, green: 1, blue: 1)),
                    .warn: ThemeColor(Color(red: 2, green: 2, blue: 2)),
                ]), hasTrueColor: true)
            // One number for two colours stands for neither.
            #expect(sent(Style(.error), on: full).contains("\u{1B}[38;5;16m"))
        }

        @Test func `empty cells beside pictures have the background of the theme`() throws {
            func blank(_ terminal: String, _ theme: Theme, hasTrueColor: Bool = false) throws -> String {
                let screen = try CursesScreen(
                    terminals: [terminal], size: size, theme: theme, hasTrueColor: hasTrueColor)
                return String(decoding: screen.blankStyle.bytes.dropFirst(4), as: UTF8.self)
            }
            #expect(try blank("xterm-256color", .light) == "")
            #expect(try blank("xterm-256color", .paintedLight) == "\u{1B}[48;5;231m")
            #expect(try blank("xterm-color", .paintedLight) == "\u{1B}[47m")
            let exact = Theme(colors: [.background: ThemeColor(Color(red: 1, green: 20, blue: 3))])
            #expect(try blank("xterm-256color", exact, hasTrueColor: true) == "\u{1B}[48;2;1;20;3m")
        }

        @Test func `a theme with a background paints every cell, also with few colours`() throws {
            let light = try CursesScreen(terminals: ["xterm-256color"], size: size, theme: .paintedLight)
            let bytes = String(decoding: light.draw(frame(["a"]), pictures: []), as: UTF8.self)
            #expect(bytes.contains("48;5;231"))
            #expect(sent(Style(.text), on: light).contains("38;5;235"))
            let few = try CursesScreen(terminals: ["xterm-16color"], size: size, theme: .paintedLight)
            #expect(sent(Style(.dim), on: few).contains("[30m"))
        }

        @Test
        func `a terminal without a database entry is refused by name`() {
            #expect(throws: TerminalError.unknownTerminal("no-such-terminal")) {
                _ = try CursesScreen(terminals: ["no-such-terminal"], size: GridSize(columns: 80, rows: 24))
            }
        }
    }
}

extension CursesScreen {
    fileprivate func draw(_ frame: Frame, pictures: [Rect]) -> [UInt8] {
        rows(of: frame, pictures: pictures).flatMap(\.bytes)
    }
}

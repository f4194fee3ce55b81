import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoCacheScreen

@Suite("Actions on the cache screen", .timeLimit(.minutes(1)))
struct CacheScreenActionTests {
    @Test
    func `d on a group asks for confirmation and deletes by the filter of the group`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("g"))
        screen.answer()
        screen.press(.character("d"))
        #expect(
            screen.question == ["delete 300 entries, 858 MiB?", "all of images.example.org", "pinned ones too"])
        #expect(screen.effects == [.measure(.filter("host:images.example.org"))])
        screen.send(.measured(.filter("host:images.example.org", last: "77"), entries: 299, bytes: 700 << 20))
        #expect(screen.question.first == "delete 299 entries, 700 MiB?")
        screen.press(.character("y"))
        #expect(screen.effects == [.delete(.filter("host:images.example.org", last: "77"))])
    }

    @Test
    func `D asks for confirmation and deletes all that the filter lists; on groups it does nothing`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("/"))
        for character in "age>1d" { screen.press(.character(character)) }
        screen.press(.enter)
        screen.press(.character("r"))
        screen.answer()
        screen.press(.character("D"))
        #expect(screen.question == ["delete 412 entries?", "all that is listed", "pinned ones too"])
        #expect(screen.effects == [.measure(.filter("age>1d"))])
        screen.send(.measured(.filter("age>2d", last: "1"), entries: 1, bytes: 1))
        screen.send(.measured(.filter("age>1d", last: "500"), entries: 413, bytes: 858 << 20))
        #expect(screen.question == ["delete 413 entries, 858 MiB?", "all that is listed", "pinned ones too"])
        screen.press(.character("y"))
        #expect(screen.effects == [.delete(.filter("age>1d", last: "500"))])
        screen.press(.character("g"))
        screen.answer()
        screen.press(.character("D"))
        #expect(screen.state.focus == .table)
    }

    @Test
    func `marks are dropped with their entries and show current facts`() {
        var screen = InspectionScreen.filled()
        screen.press(.character(" "), .character(" "))
        screen.send(.totals(InspectionScreen.totals(misses: 131)))
        #expect(screen.effects.contains(.find(["key-0", "key-1"])))
        var row = InspectionScreen.row(1)
        row.isPinned = true
        // An entry that is marked before the result arrives stays marked.
        screen.press(.character(" "))
        screen.send(.found([row, InspectionScreen.row(9)], of: ["key-0", "key-1"]))
        #expect(screen.state.marks.keys.sorted() == ["key-1", "key-2"])
        screen.press(.character("k"), .character(" "))
        #expect(screen.state.marks.keys.sorted() == ["key-1"])
        screen.press(.character("d"))
        #expect(screen.question.first == "delete 1 entry, 283 KiB?" && screen.question.last == "it is pinned")
    }

    @Test func `marked rows have a tint, the selected one its own background`() {
        var screen = InspectionScreen.filled()
        screen.press(.character(" "), .character(" "), .character("k"))
        let backgrounds = (2..<5).map { row in [1, 60, 117].map { screen.frame[$0, row].style.background } }
        #expect(backgrounds == [[.mark, .mark, .mark], [.selection, .selection, .selection], [nil, nil, nil]])
    }

    @Test func `with a mark and a filter the keys of marked entries stay on a narrow screen`() {
        var screen = InspectionScreen.filled(columns: 60, rows: 20)
        screen.press(.character(" "), .character("/"))
        for character in "kelp" { screen.press(.character(character)) }
        screen.press(.enter)
        screen.entries = 8
        screen.press(.character("r"))
        screen.answer()
        #expect(screen.frame.row(19) == " 1/8  + 1 marked  / kelp    p pin  d delete  ? help  q back ")
    }

    @Test func `the cursor of groups stands in the first column, as that of entries`() {
        var screen = InspectionScreen.filled()
        #expect(screen.frame.row(2).hasPrefix("▌"))
        screen.press(.character("g"))
        screen.answer()
        #expect(screen.frame.row(2).hasPrefix("▌  images.example.org"))
    }

    @Test
    func `mouse clicks select, open, sort and press hints, and the wheel scrolls`() {
        var screen = InspectionScreen.filled(columns: 120, rows: 30)
        func click(_ column: Int, _ row: Int) {
            screen.send(
                .mouse(MouseEvent(action: .press, button: .left, position: Position(column: column, row: row))))
        }
        func turn(_ action: MouseEvent.Action, _ row: Int) {
            screen.send(.mouse(MouseEvent(action: action, button: .other, position: Position(column: 5, row: row))))
        }
        click(20, 5)
        #expect(screen.state.viewport.cursor == 3 && !screen.state.showsDetails)
        click(20, 5)
        #expect(screen.state.showsDetails)
        turn(.scrollDown, 3)
        #expect(screen.state.viewport.cursor == 6)
        turn(.scrollUp, 3)
        #expect(screen.state.viewport.cursor == 3)
        turn(.scrollDown, 20)
        #expect(screen.state.viewport.cursor == 3)
        let title = screen.frame.row(1)
        let size = title.distance(
            from: title.startIndex, to: title.firstRange(of: "size")?.lowerBound ?? title.startIndex)
        click(size + 1, 1)
        #expect(screen.state.order == .size && !screen.state.ascending)
        click(size + 1, 1)
        #expect(screen.state.ascending)
        screen.send(.tick(milliseconds: 9_000))
        let last = screen.frame.row(29)
        let help = last.distance(
            from: last.startIndex, to: last.firstRange(of: "? help")?.lowerBound ?? last.startIndex)
        click(help, 29)
        #expect(screen.state.focus == .help(HelpCursor()))
        screen.press(.escape)
        #expect(screen.state.focus == .table)
        click(20, 200)
    }

    @Test
    func `pasted text triggers no keys; in a text field it is inserted`() {
        var screen = InspectionScreen.filled()
        screen.send(.pasted("qdy"))
        #expect(screen.effects.isEmpty && screen.state.focus == .table)
        screen.press(.character("d"))
        screen.send(.pasted("y"))
        #expect(screen.effects.isEmpty && screen.question.first == "delete 1 entry, 88 KiB?")
        screen.press(.escape, .character("/"))
        screen.send(.pasted("harbour\u{1B}[2J"))
        #expect(screen.query?.filter.hasPrefix("harbour") == true)
    }

    @Test
    func `p pins or unpins, v verifies, e asks for a path and exports, o opens`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("p"))
        #expect(screen.effects == [.setPinned(["key-0"], true)])
        // A second press reverses it before the cache has responded.
        screen.press(.character("p"))
        #expect(screen.effects == [.setPinned(["key-0"], false)])
        screen.press(.character("v"))
        #expect(screen.effects == [.verify(["key-0"])])
        screen.press(.character("o"))
        #expect(screen.effects == [.open(["key-0"])])
        screen.press(.character("e"))
        #expect(screen.frame.row(29).hasPrefix(" write to: dunes-at-noon.jpg"))
        screen.press(.enter)
        #expect(screen.effects == [.export(["key-0"], path: "dunes-at-noon.jpg")])
        screen.press(.character("j"), .character("j"), .character("p"))
        #expect(screen.effects == [.setPinned(["key-2"], false)])
        screen.send(.changed("done"))
        #expect(screen.query != nil)
    }

    @Test(
        arguments: [
            ("../../escaped.png", "_.._escaped.png"), ("/etc/passwd", "_etc_passwd"), ("~/.ssh.png", "_.ssh.png"),
            (".hidden.png", "hidden.png"), ("..", "picture"), ("dir/8.png", "dir_8.png"), ("a b.png", "a b.png"),
        ])
    func `a proposed file name stays in its folder`(name: String, offered: String) {
        var screen = InspectionScreen(columns: 120, rows: 30)
        screen.answer { $0.name = name }
        screen.press(.character("e"), .enter)
        #expect(screen.effects == [.export(["key-0"], path: offered)])
    }

    @Test
    func `in a list of groups the entry keys show a hint to open the group`() {
        for key in "sSpveoi " {
            var screen = InspectionScreen.filled()
            screen.press(.character("i"), .character("g"))
            screen.answer()
            screen.press(.character(key))
            #expect(screen.effects.isEmpty)
            #expect(screen.frame.row(28).contains("Enter opens the group"))
        }
    }

    @Test
    func `Esc leaves a list of groups although details were open before`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("i"), .character("g"))
        screen.answer()
        screen.press(.escape)
        #expect(screen.state.grouping == nil)
    }

    @Test
    func `the entry asked about is deleted or exported although rows were inserted before it`() {
        // Given a question about the first entry
        var screen = InspectionScreen.filled()
        screen.press(.character("d"))
        // When new entries precede it, and the question is answered
        screen.send(.totals(InspectionScreen.totals(misses: 131)))
        screen.answer(newcomers: 200)
        #expect(screen.state.selected?.id == "key-412")
        #expect(screen.question.first == "delete 1 entry, 88 KiB?")
        screen.press(.character("y"))
        // Then that entry is deleted; an export also keeps its entry
        #expect(screen.effects == [.delete(.entries(["key-0"]))])
        screen.press(.character("e"))
        screen.send(.totals(InspectionScreen.totals(misses: 132)))
        screen.answer()
        #expect(screen.state.selected?.id == "key-0")
        screen.press(.enter)
        #expect(screen.effects == [.export(["key-412"], path: "poster.png")])
    }

    @Test
    func `p unpins the marked entries if all are pinned`() {
        var screen = InspectionScreen.filled()
        screen.press(.character(" "), .character("p"))
        #expect(screen.effects == [.setPinned(["key-0"], true)])
        screen.press(.character("p"))
        #expect(screen.effects == [.setPinned(["key-0"], false)])
    }
}

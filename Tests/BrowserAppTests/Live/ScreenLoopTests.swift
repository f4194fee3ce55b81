import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import ProgramTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct ScreenLoopTests {
    private let screen = FakeScreen()
    private let clock = ManualClock()
    private let loop = ScreenLoop(Transcript())

    /// A screen that shows how many messages it was told, and wants everything done that it is told.
    private struct Transcript: ScreenState {
        var messages: [Message] = []
        var tickInterval: Int?

        enum Message: ScreenMessage, Equatable {
            case resumed
            case key(Key)
            case resized(GridSize, CellSize)
            case tick(milliseconds: Int)
            case keysTogether(Bool)
            case pasted(String)
            case mouse(MouseEvent)
            case focused(Bool)

            var isInput: Bool { self == .key(.character("b")) }
        }

        var frame: Frame { Frame(size: GridSize(columns: messages.count, rows: 1)) }

        mutating func update(_ message: Message) -> [Message] {
            messages.append(message)
            return [message]
        }
    }

    /// Runs until `q` and answers the exit code and the effects that were performed.
    private func run() async -> (code: Int32, effects: [Transcript.Message]) {
        var effects: [Transcript.Message] = []
        let code = await loop.run(on: screen, alarm: { [clock] in ManualAlarm(clock: clock, wake: $0) }) { effect in
            effects.append(effect)
            if effect == .key(.character("q")) { loop.quit() }
        }
        return (code, effects)
    }

    @Test func `messages are handled in order and each effect is performed once`() async {
        // Given two keys that came before the first turn
        loop.inbox.post(.key(.character("a")))
        loop.inbox.post(.key(.character("b")))
        loop.inbox.post(.key(.character("q")))
        // When the loop runs
        let (code, effects) = await run()
        // Then time comes first, the keys in order, the size after them, and each effect once
        let size = Transcript.Message.resized(screen.size, screen.capabilities.cell)
        #expect(code == 0)
        #expect(
            effects == [
                .tick(milliseconds: 0), .key(.character("a")), .key(.character("b")), .key(.character("q")), size,
            ])
        #expect(effects == loop.state.messages)
    }

    @Test func `many messages are drawn as one frame`() async {
        let running = Task { await run() }
        for _ in 0..<100 { loop.inbox.post(.key(.character("a"))) }
        await screen.comes { !screen.frames.isEmpty }
        #expect(screen.frames.map(\.size.columns) == [102])
        screen.type("q")
        _ = await running.value
        #expect(screen.frames.count == 1)
    }

    @Test func `a message posted by an effect is handled before the same frame`() async {
        // Given a key whose effect is answered before anyone waited
        loop.inbox.post(.key(.character("a")))
        let running = Task {
            await loop.run(on: screen, alarm: { [clock] in ManualAlarm(clock: clock, wake: $0) }) { effect in
                switch effect {
                case .key(.character("a")): loop.inbox.post(.pasted("answer"))
                case .key(.character("q")): loop.quit()
                default: break
                }
            }
        }
        // Then the first frame knows of time, key, size and answer
        await screen.comes { !screen.frames.isEmpty }
        #expect(screen.frames.map(\.size.columns) == [4])
        screen.type("q")
        _ = await running.value
    }

    @Test func `a frame is delayed until 16 ms after the one before`() async {
        // Given a first frame
        let running = Task { await run() }
        await screen.comes { screen.frames.count == 1 }
        // When something happens at once after it
        loop.inbox.post(.key(.character("a")))
        await clock.untilSleepers()
        #expect(screen.frames.count == 1)
        clock.advance(by: .milliseconds(16))
        // Then it is shown 16 ms later
        await screen.comes { screen.frames.count == 2 }
        #expect(loop.state.messages.contains(.tick(milliseconds: 16)))
        screen.type("q")
        _ = await running.value
    }

    @Test func `a frame waits for its pictures, and what comes meanwhile is the next one`() async throws {
        var areReady = false
        let (frames, asked) = AsyncStream<Int>.makeStream()
        var widths = frames.makeAsyncIterator()
        let running = Task {
            await loop.run(on: screen, alarm: { [clock] in ManualAlarm(clock: clock, wake: $0) }) { effect in
                if effect == .key(.character("q")) { loop.quit() }
            } pictures: { frame in
                asked.yield(frame.size.columns)
                return ([], areReady)
            }
        }
        // Given a frame of three messages whose pictures are not ready
        loop.inbox.post(.key(.character("a")))
        #expect(await widths.next() == 3)
        // When another key comes, it is still that frame which waits
        clock.advance(by: .milliseconds(20))
        loop.inbox.post(.key(.character("b")))
        #expect(await widths.next() == 3)
        #expect(screen.frames.isEmpty)
        areReady = true
        clock.advance(by: .milliseconds(20))
        loop.inbox.wake()
        await screen.comes { screen.frames.count == 1 }
        // Then the next frame has the key; the alarm may be set before or after the time passes
        while screen.frames.count < 2, !Task.isCancelled {
            clock.advance(by: .milliseconds(20))
            await Task.yield()
        }
        try #require(screen.frames.count == 2)
        #expect(screen.frames[0].size.columns == 3 && screen.frames[1].size.columns > 4)
        screen.type("q")
        _ = await running.value
    }

    @Test(arguments: [true, false])
    func `the answer to a key waits for pictures that are about to come, and the next keys wait, too`(
        come: Bool
    ) async throws {
        var (expects, isAsked) = (true, false)
        let running = Task {
            await loop.run(on: screen, alarm: { [clock] in ManualAlarm(clock: clock, wake: $0) }) { effect in
                if effect == .key(.character("q")) { loop.quit() }
            } expectsPictures: {
                isAsked = true
                return expects
            }
        }
        await screen.comes { screen.frames.count == 1 }
        screen.type("a")
        while !isAsked, !Task.isCancelled { await Task.yield() }
        screen.type("b")
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(149))
        for _ in 0..<20 { await Task.yield() }
        // The frame is not drawn, and the second key has changed nothing.
        #expect(screen.frames.count == 1 && loop.state.messages.contains(.key(.character("a"))))
        #expect(!loop.state.messages.contains(.key(.character("b"))))
        if come {
            expects = false
            loop.inbox.wake()
        }
        while screen.frames.count < 3, !Task.isCancelled {
            clock.advance(by: .milliseconds(20))
            await Task.yield()
        }
        try #require(screen.frames.count == 3)
        #expect(loop.state.messages.contains(.key(.character("b"))))
        expects = false
        screen.type("q")
        _ = await running.value
    }

    @Test func `a frame is shown after 300 ms, whether its pictures are ready or not`() async {
        let running = Task {
            await loop.run(on: screen, alarm: { [clock] in ManualAlarm(clock: clock, wake: $0) }) { effect in
                if effect == .key(.character("q")) { loop.quit() }
            } pictures: { _ in
                ([], false)
            }
        }
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(299))
        #expect(screen.frames.isEmpty)
        clock.advance(by: .milliseconds(1))
        await screen.comes { screen.frames.count == 1 }
        screen.type("q")
        _ = await running.value
    }

    @Test(arguments: [(.interrupt, 130), (.terminate, 143), (.hangup, 129)] as [(TerminalSignal, Int32)])
    func `a signal ends the program with its code`(signal: TerminalSignal, code: Int32) async {
        screen.happen(.signal(signal))
        let result = await run()
        #expect(result.code == code)
        #expect(screen.closings == 1)
    }

    @Test func `terminal events reach the state as messages`() async {
        let size = GridSize(columns: 10, rows: 5)
        let cell = CellSize(width: 7, height: 14)
        var known = TerminalCapabilities()
        known.cell = CellSize(width: 9, height: 18)
        let press = MouseEvent(action: .press, button: .left, position: Position(column: 1, row: 2))
        for event in [
            TerminalEvent.paste("text"), .resized(size, cell), .capabilitiesChanged(known), .focus(true),
            .mouse(press), .signal(.continued), .key(.control("c")), .key(.character("q")),
        ] { screen.happen(event) }
        _ = await run()
        let told = loop.state.messages.filter { if case .tick = $0 { false } else { true } }
        #expect(
            told.dropFirst() == [
                .pasted("text"), .resized(size, cell), .resized(screen.size, known.cell), .focused(true),
                .mouse(press), .resumed, .key(.control("c")), .key(.character("q")),
            ])
    }

    @Test func `the first exit code is kept`() async {
        loop.quit(143)
        loop.quit()
        #expect(await run().code == 143)
    }

    @Test func `while the screen is lent, the other loop receives its events and draws its frames`() async {
        // Given a loop whose screen another one uses
        let guest = ScreenLoop(Transcript())
        let running = Task { await run() }
        await screen.comes { !screen.frames.isEmpty }
        let lending = Task {
            await loop.lend(screen) { events in
                await guest.run(on: screen, events: events) { if $0 == .key(.character("x")) { guest.quit() } }
            }
        }
        await screen.comes { screen.invalidations == 1 }
        // When keys are pressed and messages arrive
        loop.inbox.post(.pasted("for the owner"))
        screen.type("ax")
        let code = await lending.value
        screen.type("q")
        // Then the keys went to the guest, the message to the owner, and the screen stayed open until its end
        let (ending, effects) = await running.value
        #expect(code == 0 && ending == 0)
        #expect(guest.state.messages.contains(.key(.character("a"))))
        #expect(!effects.contains(.key(.character("a"))) && !effects.contains(.key(.character("x"))))
        #expect(effects.contains(.pasted("for the owner")) && effects.contains(.key(.character("q"))))
        #expect(screen.invalidations == 2 && screen.closings == 1)
    }

    @Test func `a signal ends both loops while the screen is lent`() async {
        let running = Task { await run() }
        await screen.comes { !screen.frames.isEmpty }
        let guest = ScreenLoop(Transcript())
        let lending = Task { await loop.lend(screen) { await guest.run(on: screen, events: $0) { _ in } } }
        await screen.comes { screen.invalidations == 1 }
        screen.happen(.signal(.terminate))
        #expect(await lending.value == 143)
        #expect(await running.value.code == 143)
    }
}

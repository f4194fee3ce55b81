import AlcedoBrowserCore
import AlcedoCacheScreen
import AlcedoConfig
import AlcedoScreen
import AlcedoTerminal
import Dispatch
import FoundationEssentials
import ImageLoading
import Raster
import Synchronization

/// The event loop of a screen: drains the messages, updates the state, performs the effects and draws at most one
/// frame.
@MainActor
final class ScreenLoop<State: ScreenState> {
    let inbox = Inbox<State.Message>()
    private(set) var state: State
    private var exitCode: Int32?
    /// The input that is not applied: after the loop was told to end, and while the frame before waits for its pictures.
    private(set) var unread: [State.Message] = []
    /// Whether there was user input that no frame shows yet.
    private var hasPendingInput = false
    /// The stream that gets the events while another loop uses the screen.
    private var guest: DirectStream<TerminalEvent>?
    /// When the next frame began to wait for its pictures, and the frame, once it knows them but they are not ready.
    private var waiting: (since: Int, frame: Frame?)?
    /// Milliseconds after which a frame is shown without the pictures that are about to come, or are not ready.
    private let (longestLoad, longestWait) = (150, 300)

    init(_ state: State) { self.state = state }

    /// Whether the loop ends after this turn.
    var isEnding: Bool { exitCode != nil }

    /// Ends the loop after this turn; of several exit codes the first one that is not 0 counts.
    func quit(_ code: Int32 = 0) {
        if exitCode ?? 0 == 0 { exitCode = code }
        inbox.wake()
    }

    /// Runs until ``quit(_:)`` and returns the exit code.
    ///
    /// - Parameters:
    ///   - events: The events of a screen that another loop lends; nil takes the screen's own and closes it at the end.
    ///   - observe: Called with every message before the state is updated.
    ///   - expectsPictures: Whether pictures are about to come which the frame that answers the input should have.
    ///   - pictures: Returns the pictures of a frame, and whether it may be shown before the others are ready; may draw
    ///     placeholders into it; no pictures by default.
    func run(
        on screen: any Screen, events: DirectStream<TerminalEvent>? = nil,
        alarm: @MainActor (@escaping @Sendable () -> Void) -> any Alarm = { MainAlarm(wake: $0) },
        observe: @MainActor (State.Message) -> Void = { _ in },
        perform: (State.Effect) -> Void, expectsPictures: () -> Bool = { false },
        pictures: (inout Frame) -> (shown: [TerminalPicture], areReady: Bool) = { _ in ([], true) }
    ) async -> Int32 {
        let pacer = FramePacer(alarm: alarm { [inbox] in inbox.wake() })
        let forwarding = Task { await forward(events ?? screen.events, of: screen) }
        inbox.post(.resized(screen.size, screen.capabilities.cell))
        for await _ in inbox.wakes {
            state.update(.tick(milliseconds: pacer.milliseconds)).forEach(perform)
            // Replies that the effects post at once belong to the same frame.
            for _ in 0..<2 {
                let isHeld = waiting.map { $0.frame == nil } ?? false
                let held = isHeld ? [] : unread
                if !isHeld { (unread, hasPendingInput) = ([], hasPendingInput || !held.isEmpty) }
                for message in held + inbox.drain() {
                    if message.isInput, isHeld || exitCode != nil {
                        unread.append(message)
                        continue
                    }
                    observe(message)
                    state.update(message).forEach(perform)
                }
            }
            guard exitCode == nil else { break }
            pacer.setTick(milliseconds: state.tickInterval)
            let now = pacer.milliseconds
            let since = waiting?.since ?? now
            if guest == nil, hasPendingInput, waiting?.frame == nil, now < since + longestLoad, expectsPictures() {
                waiting = (since, nil)
                pacer.setTick(milliseconds: min(state.tickInterval ?? .max, since + longestLoad - now))
                continue
            }
            guard guest == nil, pacer.mayDraw(isAnswer: hasPendingInput) else { continue }
            hasPendingInput = false
            var frame = waiting?.frame ?? state.frame
            let whole = frame
            let (shown, areReady) = pictures(&frame)
            if !areReady, now < since + longestWait {
                waiting = (since, whole)
                pacer.setTick(milliseconds: min(state.tickInterval ?? .max, since + longestWait - now))
                continue
            }
            screen.present(frame, pictures: shown)
            // What came meanwhile is the next frame.
            if waiting != nil { inbox.wake() }
            waiting = nil
        }
        pacer.stop()
        if let events {
            // What was typed until now is read to its end.
            events.finish()
            await forwarding.value
        } else {
            screen.close()
            forwarding.cancel()
        }
        unread += inbox.drain().filter(\.isInput)
        return exitCode ?? 0
    }

    /// Lends the screen and its events to another program until it finishes, and returns its exit code.
    ///
    /// A code other than 0 ends this loop, too.
    ///
    /// Messages still update the state meanwhile, but nothing is drawn. Afterwards the whole screen is redrawn.
    @discardableResult
    func lend(_ screen: any Screen, to body: (DirectStream<TerminalEvent>) async -> Int32) async -> Int32 {
        let events = DirectStream<TerminalEvent>()
        guest = events
        // The two programs may use the same picture IDs.
        screen.invalidate()
        let code = await body(events)
        guest = nil
        events.finish()
        screen.invalidate()
        inbox.post(.resized(screen.size, screen.capabilities.cell))
        if code != 0 { quit(code) }
        return code
    }

    private func forward(_ events: DirectStream<TerminalEvent>, of screen: any Screen) async {
        for await event in events {
            if let guest {
                guest.yield(event)
                continue
            }
            switch event {
            case .key(let key): postInput(.key(key))
            case .keysTogether(let areTogether): inbox.post(.keysTogether(areTogether))
            case .paste(let text): postInput(.pasted(text))
            case .resized(let size, let cell): inbox.post(.resized(size, cell))
            case .capabilitiesChanged(let known): inbox.post(.resized(screen.size, known.cell))
            case .signal(.continued): inbox.post(.resumed)
            case .signal(.interrupt): quit(130)
            case .signal(.terminate): quit(143)
            case .signal(.hangup): quit(129)
            case .focus(let hasFocus): inbox.post(.focused(hasFocus))
            case .mouse(let event): postInput(.mouse(event))
            case .reply: break
            }
        }
    }

    private func postInput(_ message: State.Message) {
        hasPendingInput = true
        inbox.post(message)
    }
}

/// A screen as a value: its messages, its effects and its frame.
protocol ScreenState {
    associatedtype Message: ScreenMessage
    associatedtype Effect
    /// Milliseconds until the next tick that changes the frame; nil when nothing moves.
    var tickInterval: Int? { get }
    var frame: Frame { get }
    mutating func update(_ message: Message) -> [Effect]
}

/// The messages that every screen understands.
protocol ScreenMessage: Sendable {
    var isInput: Bool { get }
    static var resumed: Self { get }
    static func key(_ key: Key) -> Self
    static func keysTogether(_ areTogether: Bool) -> Self
    static func resized(_ size: GridSize, _ cell: CellSize) -> Self
    static func tick(milliseconds: Int) -> Self
    static func pasted(_ text: String) -> Self
    static func mouse(_ event: MouseEvent) -> Self
    static func focused(_ hasFocus: Bool) -> Self
}

extension ScreenMessage {
    /// Whether it is a key, a text or a mouse action, which another list may get; never, by default.
    var isInput: Bool { false }
}

extension BrowseMessage: ScreenMessage {}
extension BrowseState: ScreenState {}
extension CacheScreenMessage: ScreenMessage {}
extension CacheScreenState: ScreenState {}

/// Schedules the next frame of a screen, at most 60 a second.
///
/// Frames that answer user input have the same limit, counted separately.
@MainActor
final class FramePacer {
    private let minimumInterval = Duration.milliseconds(16)
    private let alarm: any Alarm
    private let started: Duration
    private var lastFrame: Duration?
    private var lastAnswer: Duration?

    init(alarm: any Alarm) {
        self.alarm = alarm
        started = alarm.now
    }

    /// Milliseconds since the start.
    var milliseconds: Int { Int((alarm.now - started) / .milliseconds(1)) }

    /// Returns whether a frame may be drawn now; if not, sets the alarm for the time when it may.
    ///
    /// A frame that answers user input waits only for the previous such frame, not for frames of an animation.
    func mayDraw(isAnswer: Bool = false) -> Bool {
        let now = alarm.now
        if let last = isAnswer ? lastAnswer : lastFrame, now - last < minimumInterval {
            alarm.set(in: minimumInterval - (now - last))
            return false
        }
        lastFrame = now
        if isAnswer { lastAnswer = now }
        return true
    }

    /// Sets the alarm for the screen's next tick, or stops it if nothing moves.
    func setTick(milliseconds: Int?) {
        if let milliseconds { alarm.set(in: .milliseconds(max(1, milliseconds))) } else { alarm.stop() }
    }

    func stop() { alarm.stop() }
}

/// A one-shot timer; setting it again replaces the earlier time.
@MainActor
protocol Alarm: AnyObject {
    /// The time since a fixed moment in the past.
    var now: Duration { get }

    func set(in delay: Duration)
    func stop()
}

/// An alarm on the main queue; one reused timer replaces a sleeping task for every frame.
final class MainAlarm: Alarm {
    private let timer: any DispatchSourceTimer

    /// - Parameter wake: Called on the main queue when the time has come.
    init(wake: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: .main)
        timer.setEventHandler(handler: wake)
        timer.activate()
    }

    isolated deinit { timer.cancel() }

    var now: Duration { RunClock.system.now() }

    func set(in delay: Duration) {
        timer.schedule(deadline: .now() + .nanoseconds(Int(max(delay, .zero) / .nanoseconds(1))))
    }

    func stop() { timer.schedule(deadline: .distantFuture) }
}

/// A queue of messages to a screen, filled from any thread and drained in order by the screen's loop.
final class Inbox<Message: Sendable>: Sendable {
    /// One element whenever there is something to process; wake-ups that pile up are merged into one.
    let wakes = DirectStream<Void>(limit: 1)
    private let messages = Mutex<[Message]>([])

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakes.yield(())
    }

    /// Wakes the loop without a message, because time has passed or a picture is ready.
    func wake() { wakes.yield(()) }

    func drain() -> [Message] {
        messages.withLock { queue in
            defer { queue = [] }
            return queue
        }
    }

    func close() { wakes.finish() }
}

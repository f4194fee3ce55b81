import BrowserCore
import Foundation
import ImageLoading
import Raster
import Terminal

/// The browser as it runs: messages in, at most one frame a turn out.
@MainActor
public final class BrowserProgram {
    private let settings: BrowserSettings
    private let inbox = Inbox<BrowseMessage>()
    private let presenter = PicturePresenter()
    private let feed: BrowserFeed
    private var state: BrowseState
    private var exitCode: Int32 = 0
    private var isRunning = true

    public init(settings: BrowserSettings) {
        self.settings = settings
        feed = BrowserFeed(lists: settings.lists, inbox: inbox)
        var options = BrowseOptions(isASCII: settings.isASCII, prefetches: settings.prefetches)
        options.reducesMotion = !settings.hasTransitions
        state = BrowseState(title: Redacted.text(settings.title), options: options)
    }

    /// Runs until the user quits; answers the exit code.
    ///
    /// Throws `ProgramProblem` when there is no terminal that can be used.
    public func run() async throws(ProgramProblem) -> Int32 {
        let device = try Self.open(settings)
        showFirstFrame(on: device)
        let library = await Self.openLibrary(settings)
        let runner = EffectRunner(
            library: library, settings: settings, feed: feed, inbox: inbox, presenter: presenter, device: device)
        let listening = Task { await listen(to: device) }
        presenter.onReady = { [inbox] in inbox.wake() }
        presenter.adopt(device.capabilities, implementation: settings.sixelImplementation)
        if let problem = library.diskProblem { inbox.post(.notice(problem.description)) }
        runner.start()
        await loop(device: device, runner: runner)
        device.close()
        listening.cancel()
        await runner.stop()
        await library.close()
        return exitCode
    }

    /// What the user marked, or else chose, as the list has it; for `--select`.
    public var selectedLocations: [String] {
        let chosen = state.marked.isEmpty ? state.selected.map { [$0] } ?? [] : state.marked
        return chosen.compactMap { feed.location($0) }
    }

    /// What there is to see before the caches are open and the list is read.
    private func showFirstFrame(on device: TerminalDevice) {
        _ = BrowseUpdate.update(&state, .resized(device.size, device.capabilities.cell))
        device.present(BrowseView.frame(state), pictures: [])
    }

    @concurrent
    private static func openLibrary(_ settings: BrowserSettings) async -> Library {
        var librarySettings = LibrarySettings()
        librarySettings.environment = settings.environment
        librarySettings.retry = settings.retry
        return Library(settings: librarySettings)
    }

    private static func open(_ settings: BrowserSettings) throws(ProgramProblem) -> TerminalDevice {
        do throws(TerminalError) {
            return try TerminalDevice(
                variables: settings.environment,
                settings: TerminalSettings(graphics: settings.graphics, cell: settings.cell))
        } catch {
            throw ProgramProblem("the browser needs a terminal: \(error.explanation); try: alcedo prefetch")
        }
    }

    private func loop(device: TerminalDevice, runner: EffectRunner) async {
        let pacer = FramePacer { [inbox] in inbox.wake() }
        for await _ in inbox.wakes {
            for message in [.tick(milliseconds: pacer.milliseconds)] + inbox.drain() {
                for effect in BrowseUpdate.update(&state, message) {
                    if runner.run(effect) == .quit { isRunning = false }
                }
            }
            guard isRunning else { break }
            pacer.setTick(milliseconds: state.tickInterval)
            if pacer.mayDraw() { draw(on: device) }
        }
        pacer.stop()
    }

    private func draw(on device: TerminalDevice) {
        let frame = BrowseView.frame(state)
        device.present(frame, pictures: presenter.pictures(for: frame.pictures, isBusy: device.isBusy))
    }

    private func listen(to device: TerminalDevice) async {
        for await event in device.events { take(event, from: device) }
    }

    private func take(_ event: TerminalEvent, from device: TerminalDevice) {
        switch event {
        case .key(.control("c")): inbox.post(.key(.character("q")))
        case .key(let key): inbox.post(.key(key))
        case .paste(let text): inbox.post(.pasted(text))
        case .resized(let size, let cell): inbox.post(.resized(size, cell))
        case .capabilitiesChanged(let capabilities):
            presenter.adopt(capabilities, implementation: settings.sixelImplementation)
            inbox.post(.resized(device.size, capabilities.cell))
        case .signal(.continued): inbox.post(.resumed)
        case .signal(.interrupt): end(with: 130)
        case .signal(.terminate): end(with: 143)
        case .signal(.hangup): end(with: 129)
        case .mouse, .focus, .reply: break
        }
    }

    private func end(with code: Int32) {
        exitCode = code
        isRunning = false
        inbox.wake()
    }
}

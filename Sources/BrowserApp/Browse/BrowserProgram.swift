import BrowserCore
import Foundation
import ImageLoading
import Terminal
import TerminalGraphics

/// The browser as it runs.
@MainActor
public final class BrowserProgram {
    private let settings: BrowserSettings
    private let loop: ScreenLoop<BrowseState>
    private let presenter: PicturePresenter
    private let feed: BrowserFeed
    private let standIns: StandInPainter

    public init(settings: BrowserSettings) {
        self.settings = settings
        let presenter = PicturePresenter()
        self.presenter = presenter
        var options = BrowseOptions(isASCII: settings.isASCII, prefetches: settings.prefetches)
        options.reducesMotion = !settings.hasTransitions
        // As long as no indicator shows either: who walks through cached pictures sees nothing but pictures.
        options.holdDuration = options.indicatorDelay
        options.indicator = settings.indicator.style
        if let interval = settings.indicator.indicator.interval { options.indicatorInterval = interval.milliseconds }
        options.hasOwnPlaceholder = settings.placeholder != nil
        options.adopt(settings.display, hold: presenter.addForFailures)
        presenter.transition = Transition(settings.display.transition.effect)
        standIns = StandInPainter(
            placeholder: settings.placeholder ?? BlankPlaceholder(), indicator: settings.indicator.indicator,
            isASCII: settings.isASCII, presenter: presenter)
        loop = ScreenLoop(BrowseState(title: Redacted.text(settings.title), options: options))
        feed = BrowserFeed(lists: settings.lists, base: settings.base, inbox: loop.inbox)
    }

    /// Runs until the user quits; answers the exit code.
    ///
    /// Throws `ProgramProblem` when there is no terminal that can be used.
    public func run() async throws(ProgramProblem) -> Int32 {
        let device: TerminalDevice
        do throws(TerminalError) {
            device = try TerminalDevice(
                variables: settings.environment,
                settings: TerminalSettings(
                    graphics: settings.graphics, cell: settings.cell, theme: settings.theme))
        } catch {
            throw ProgramProblem("the browser needs a terminal: \(error.explanation); try: alcedo prefetch")
        }
        return await run(on: device)
    }

    /// The same on a screen that is there.
    func run(on screen: any Screen) async -> Int32 {
        showFirstFrame(on: screen)
        let library = await Self.openLibrary(settings)
        let runner = EffectRunner(
            library: library, settings: settings, feed: feed, inbox: loop.inbox, presenter: presenter, screen: screen)
        presenter.onReady = { [inbox = loop.inbox] in inbox.wake() }
        if let problem = library.diskProblem { loop.inbox.post(.notice(problem.description)) }
        runner.start()
        let code = await loop.run(on: screen) { effect in
            if runner.run(effect) == .quit { loop.quit() }
        } pictures: { frame in
            presenter.adopt(
                screen.capabilities, implementation: settings.sixelImplementation, blockSet: settings.blockSet)
            standIns.paint(&frame, cell: screen.capabilities.cell)
            return presenter.pictures(
                for: frame.pictures, isBusy: screen.isBusy, acknowledgementTime: screen.acknowledgementTime)
        }
        await runner.stop()
        await library.close()
        return code
    }

    /// What the user marked, or else chose, as the list has it; for `--select`.
    public var selectedLocations: [String] {
        let state = loop.state
        let chosen = state.marked.isEmpty ? state.selected.map { [$0] } ?? [] : state.marked
        return chosen.compactMap { feed.location($0) }
    }

    /// What there is to see before the caches are open and the list is read.
    private func showFirstFrame(on screen: any Screen) {
        var empty = loop.state
        _ = empty.update(.resized(screen.size, screen.capabilities.cell))
        screen.present(empty.frame, pictures: [])
    }

    @concurrent
    private static func openLibrary(_ settings: BrowserSettings) async -> Library {
        Library(settings: settings.library)
    }
}

import AlcedoScreen
import Raster

/// The action of a row of the help.
enum HelpAction: Sendable, Equatable {
    case browser(BrowseAction)
    case task(TaskAction)
    /// Presses a key of the processor menu.
    case key(Key)
}

/// The help that is open, and what opened it, to return to.
struct Palette: Sendable, Equatable {
    var cursor = HelpCursor()
    var tasks: TaskCursor?
    var menu: ProcessorMenu?

    var origin: BrowseState.Focus { tasks.map { .tasks($0) } ?? menu.map { .processors($0) } ?? .list }
}

/// A screen with keys of its own, whose help begins with them.
enum HelpScreen: String, CaseIterable {
    case list, grid, fullScreen = "full screen", duplicates, comparison, tasks, processors

    /// The actions, with the words for what they do on this screen where these differ.
    var actions: [(action: BrowseAction, title: String?)] {
        switch self {
        case .list:
            [
                (.down, nil), (.up, nil), (.fullScreen, nil), (.mark, nil), (.filter, nil), (.clearFilter, nil),
                (.grid, nil), (.info, nil), (.sort, nil), (.names, nil),
            ]
        case .grid:
            [
                (.panLeft, "previous picture"), (.panRight, "next picture"), (.down, "the row below"),
                (.up, "the row above"), (.fullScreen, nil), (.mark, nil), (.zoomIn, "larger cells"),
                (.zoomOut, "smaller cells"), (.filter, nil), (.grid, "back to the list"),
            ]
        case .fullScreen:
            [
                (.down, nil), (.up, nil), (.zoomIn, nil), (.zoomOut, nil), (.zoomFit, nil), (.zoomActual, nil),
                (.zoomWidth, nil), (.zoomHeight, nil), (.zoomFill, nil), (.panLeft, nil), (.panRight, nil),
                (.slideshow, nil), (.pauseAnimation, nil), (.previousFrame, nil),
                (.nextFrame, nil), (.fullScreen, "back"), (.clearFilter, "back"),
            ]
        case .duplicates:
            [
                (.nextMatch, "next group"), (.previousMatch, "previous group"),
                (.markAllButLargest, "mark all but the largest"), (.markAllButFirst, "mark all but the first"),
                (.compare, "compare side by side"), (.difference, "difference"), (.mark, nil), (.fullScreen, nil),
                (.trash, nil), (.duplicates, "close"),
            ]
        case .comparison:
            [
                (.difference, "difference, or both"), (.compare, "side by side"),
                (.zoomIn, nil), (.zoomOut, nil), (.zoomFit, nil), (.zoomActual, nil), (.nextMatch, "next group"),
                (.previousMatch, "previous group"), (.clearFilter, "close"),
            ]
        case .tasks, .processors: []
        }
    }
}

extension BrowseState {
    /// The keys of the processor menu.
    private static let processorKeys: [(key: Key, title: String)] = [
        (.character(" "), "add or remove the step"), (.left, "smaller value"), (.right, "larger value"),
        (.character("e"), "edit the chain as text"), (.character("0"), "no processors"), (.enter, "keep them"),
        (.escape, "as before"),
    ]

    private func helpScreen(_ palette: Palette) -> HelpScreen {
        if palette.tasks != nil { return .tasks }
        if palette.menu != nil { return .processors }
        if comparison != nil { return .comparison }
        if isFullScreen { return .fullScreen }
        if duplicates != nil { return .duplicates }
        return isGrid ? .grid : .list
    }

    /// Returns the help, with the keys in force.
    func helpPanel(_ palette: Palette) -> HelpPanel<HelpAction> {
        let screen = helpScreen(palette)
        let own: [HelpRow<HelpAction>] =
            switch screen {
            case .tasks: TaskAction.allCases.map { row($0.traits, .task($0)) }
            case .processors:
                Self.processorKeys.map { HelpRow([KeyName.sign($0.key, glyphs)], $0.title, action: .key($0.key)) }
            case .comparison: [HelpRow(["x"], "flip between the two", action: .key(.character("x")))] + rows(screen)
            case .list where place != nil:
                rows(screen) + [row(.panRight, title: "open the folder"), row(.panLeft, title: "parent folder")]
            default: rows(screen)
            }
        var shown = screen.actions.map(\.action)
        if screen == .list, place != nil { shown += [.panLeft, .panRight] }
        // These keys have this meaning among duplicates only.
        if screen != .duplicates { shown += [.markAllButLargest, .markAllButFirst] }
        // The keys of the list do not act among the tasks.
        let topics = (screen == .tasks ? [] : HelpTopic.allCases).map { topic in
            let actions = BrowseAction.allCases.filter { $0.traits.topic == topic && !shown.contains($0) }
            return HelpBlock(topic.title, actions.map { row($0) })
        }
        let facts = terminalFacts.map { HelpRow<HelpAction>([$0.label], $0.value, terms: "terminal graphics") }
        let blocks = [HelpBlock("Here: \(screen.rawValue)", own)] + topics + [signs, HelpBlock("Terminal", facts)]
        return HelpPanel(screen.rawValue, blocks, palette.cursor, in: layout.popup, glyphs: glyphs)
    }

    /// The meaning of the signs in rows.
    private var signs: HelpBlock<HelpAction> {
        let rows = [
            ([glyphs.inMemory, glyphs.onDisk, glyphs.waiting], "in memory, on disk, waiting"),
            ([glyphs.spinner[0], glyphs.download], "connecting or waiting for an answer, loading"),
            ([glyphs.retrying, glyphs.parked, glyphs.failed], "retrying, host paused, failed"),
            ([glyphs.marked, glyphs.duplicate, glyphs.moving], "marked, there twice, an animation"),
            ([glyphs.folder, glyphs.pinned], "a folder, kept in front"),
        ]
        return HelpBlock("Signs", rows.map { HelpRow($0, $1) })
    }

    private func rows(_ screen: HelpScreen) -> [HelpRow<HelpAction>] {
        screen.actions.map { row($0.action, title: $0.title) }
    }

    private func row(_ action: BrowseAction, title: String? = nil) -> HelpRow<HelpAction> {
        var traits = action.traits
        traits.keys = options.keyMap.names(of: action)
        if action == .flat, duplicates == nil { traits.keys += options.keyMap.names(of: .markAllButFirst) }
        return row(traits, title: title, .browser(action))
    }

    private func row(_ traits: ActionTraits, title: String? = nil, _ action: HelpAction) -> HelpRow<HelpAction> {
        let terms = "\(title == nil ? "" : traits.title) \(traits.terms)"
        return HelpRow(traits.signs(glyphs), title ?? traits.title, terms: terms, action: action)
    }

    mutating func inHelp(_ key: Key, _ palette: Palette) -> [BrowseEffect] {
        var palette = palette
        let panel = helpPanel(palette)
        if key == .enter { return run(panel.action, of: palette) }
        let stays = palette.cursor.handle(key, in: panel)
        focus = stays ? .help(palette) : palette.origin
        return []
    }

    private mutating func run(_ action: HelpAction?, of palette: Palette) -> [BrowseEffect] {
        switch action {
        case .browser(let action):
            focus = .list
            return perform(action)
        case .task(let action): return palette.tasks.map { perform(action, at: $0) } ?? []
        case .key(let key):
            focus = palette.origin
            return press(key)
        case nil: return []
        }
    }
}

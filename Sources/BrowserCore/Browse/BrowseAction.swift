/// What the user can ask of the browser by a key or from the palette.
enum BrowseAction: String, Sendable, CaseIterable {
    case down, up, top, bottom, halfPageDown, halfPageUp, pageDown, pageUp
    case fullScreen, switchPane, filter, clearFilter, mark, info, tasks
    case reload, retryFailed, cancel, pausePrefetch, pauseAnimation
    case help, redraw, suspend, quit

    /// What the palette calls it.
    var title: String {
        switch self {
        case .down: "next picture"
        case .up: "previous picture"
        case .top: "first picture"
        case .bottom: "last picture"
        case .halfPageDown: "half a page down"
        case .halfPageUp: "half a page up"
        case .pageDown: "next page"
        case .pageUp: "previous page"
        case .fullScreen: "full screen"
        case .switchPane: "other pane"
        case .filter: "filter the list"
        case .clearFilter: "clear the filter"
        case .mark: "mark"
        case .info: "picture details"
        case .tasks: "tasks"
        case .reload: "reload"
        case .retryFailed: "retry all failed"
        case .cancel: "cancel"
        case .pausePrefetch: "pause prefetch"
        case .pauseAnimation: "pause animations"
        case .help: "all keys"
        case .redraw: "redraw"
        case .suspend: "suspend"
        case .quit: "quit"
        }
    }

    /// The keys that do it, as the palette shows them.
    func keys(_ glyphs: GlyphSet) -> String {
        switch self {
        case .down: glyphs.isASCII ? "j" : "j ↓"
        case .up: glyphs.isASCII ? "k" : "k ↑"
        case .top: "gg Home"
        case .bottom: "G End"
        case .halfPageDown: "ctrl-d"
        case .halfPageUp: "ctrl-u"
        case .pageDown: "ctrl-f"
        case .pageUp: "ctrl-b"
        case .fullScreen: glyphs.enter
        case .switchPane: "Tab"
        case .filter: "/"
        case .clearFilter: "Esc"
        case .mark: glyphs.space
        case .info: "i"
        case .tasks: "w"
        case .reload: "r"
        case .retryFailed: "R"
        case .cancel: "x"
        case .pausePrefetch: "p"
        case .pauseAnimation: "."
        case .help: "?"
        case .redraw: "ctrl-l"
        case .suspend: "ctrl-z"
        case .quit: "q"
        }
    }

    /// The action of a key in the list; `gg` is two keys and not here.
    static func of(_ key: Key) -> BrowseAction? { keymap[key] }

    private static let keymap: [Key: BrowseAction] = [
        .character("j"): .down, .down: .down, .character("k"): .up, .up: .up,
        .home: .top, .character("G"): .bottom, .end: .bottom,
        .control("d"): .halfPageDown, .control("u"): .halfPageUp,
        .control("f"): .pageDown, .pageDown: .pageDown, .control("b"): .pageUp, .pageUp: .pageUp,
        .enter: .fullScreen, .tab: .switchPane, .backTab: .switchPane, .escape: .clearFilter,
        .character("/"): .filter, .character(" "): .mark, .character("i"): .info, .character("w"): .tasks,
        .character("r"): .reload, .character("R"): .retryFailed, .character("x"): .cancel,
        .character("p"): .pausePrefetch, .character("."): .pauseAnimation, .character("?"): .help, .function(1): .help,
        .control("l"): .redraw, .control("z"): .suspend, .control("c"): .quit, .character("q"): .quit,
    ]
}

/// A heading of the help.
enum HelpTopic: String, Sendable, CaseIterable {
    case tasks, move, view, picture, marks, transfers, program

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// An action that a key, the palette or the command line triggers; the help lists them in this order.
enum BrowseAction: String, Sendable, CaseIterable {
    case down, up, top, bottom, halfPageDown, halfPageUp, pageDown, pageUp, nextMatch, previousMatch
    case fullScreen, grid, slideshow, switchPane, info, filter, clearFilter, sort, names
    case duplicates, compare, difference
    case zoomIn, zoomOut, zoomFit, zoomActual, panLeft, panRight
    case pauseAnimation, previousFrame, nextFrame
    case process, transition, copyURL, openExternally
    case mark, markRange, markAll, markMatches, markAllButLargest, markAllButFirst, unmarkAll, export, removeFromCache
    case tasks, reload, retryFailed, cancel, pausePrefetch, lowData
    case command, help, cache, reloadConfiguration, redraw, suspend, quit

    /// The name in the configuration file and on the command line: `half-page-down`.
    var name: String {
        if self == .copyURL { return "copy-url" }
        return rawValue.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    /// The heading in the help.
    var topic: HelpTopic { traits.topic }
    /// The title in the palette.
    var title: String { traits.title }
    /// The default keys.
    var standardKeys: [String] { traits.keys }
    /// Other words that the palette's search finds.
    var searchTerms: String { traits.terms }

    private var traits: (topic: HelpTopic, title: String, keys: [String], terms: String) {
        switch self {
        case .down: (.move, "next picture", ["j", "down"], "")
        case .up: (.move, "previous picture", ["k", "up"], "")
        case .top: (.move, "first picture", ["gg", "home"], "go jump home end")
        case .bottom: (.move, "last picture", ["G", "end"], "go jump home end")
        case .halfPageDown: (.move, "half a page down", ["ctrl-d"], "")
        case .halfPageUp: (.move, "half a page up", ["ctrl-u"], "")
        case .pageDown: (.move, "next page", ["ctrl-f", "page-down"], "")
        case .pageUp: (.move, "previous page", ["ctrl-b", "page-up"], "")
        case .nextMatch: (.move, "next match", ["n"], "search find")
        case .previousMatch: (.move, "previous match", ["N"], "search find")
        case .fullScreen: (.view, "full screen", ["enter"], "fullscreen large")
        case .grid: (.view, "thumbnails", ["t"], "grid overview")
        case .slideshow: (.view, "slideshow", ["S"], "play presentation")
        case .switchPane: (.view, "switch pane", ["tab", "shift-tab"], "tab focus")
        case .info: (.view, "picture details", ["i"], "info exif metadata headers")
        case .filter: (.view, "filter the list", ["/"], "search find")
        case .clearFilter: (.view, "clear the filter", ["esc"], "escape back show all")
        case .sort: (.view, "change sort order", ["s"], "order")
        case .names: (.view, "name, path or URL", ["a"], "url folder location rows")
        case .duplicates: (.view, "duplicates", ["D"], "identical similar equal twice groups")
        case .compare: (.view, "compare two pictures", ["="], "side by side flip psnr ssim")
        case .difference: (.view, "difference of two pictures", ["X"], "compare psnr ssim")
        case .zoomIn: (.picture, "zoom in", ["z", "+"], "magnify scale actual size")
        case .zoomOut: (.picture, "zoom out", ["Z", "-"], "magnify scale actual size")
        case .zoomFit: (.picture, "zoom to fit", ["0"], "magnify scale actual size")
        case .zoomActual: (.picture, "zoom to 1:1", ["1"], "magnify scale actual size")
        case .panLeft: (.picture, "move left", ["h", "left"], "pan scroll")
        case .panRight: (.picture, "move right", ["l", "right"], "pan scroll")
        case .pauseAnimation: (.picture, "pause animations", ["."], "play gif stop")
        case .previousFrame: (.picture, "previous frame", ["["], "gif step")
        case .nextFrame: (.picture, "next frame", ["]"], "gif step")
        case .process: (.picture, "processors", ["P"], "filters effects chain preview")
        case .transition: (.picture, "next transition", ["T"], "fade wipe flip")
        case .copyURL: (.picture, "copy the URL", ["y"], "clipboard address link yank")
        case .openExternally: (.picture, "open in another program", ["o"], "external viewer browser")
        case .mark: (.marks, "mark", ["space"], "select choose")
        case .markRange: (.marks, "mark a range", ["v"], "select choose")
        case .markAll: (.marks, "mark all", ["*"], "select choose")
        case .markMatches: (.marks, "mark by a filter", ["M"], "select choose")
        case .markAllButLargest: (.marks, "of a group, mark all but the largest", ["K"], "duplicates keep")
        case .markAllButFirst: (.marks, "of a group, mark all but the first", ["F"], "duplicates keep")
        case .unmarkAll: (.marks, "unmark all", ["u"], "select choose")
        case .export: (.marks, "export", ["e"], "save write file")
        case .removeFromCache: (.marks, "remove from cache", ["d"], "delete remove")
        case .tasks: (.transfers, "tasks", ["w"], "queue priority downloads transfers")
        case .reload: (.transfers, "reload", ["r"], "refresh fetch again")
        case .retryFailed: (.transfers, "retry all failed", ["R"], "again errors")
        case .cancel: (.transfers, "cancel download; flip a comparison", ["x"], "stop abort compare")
        case .pausePrefetch: (.transfers, "pause prefetch", ["p"], "stop resume download")
        case .lowData: (.transfers, "low data", ["L"], "metered bandwidth")
        case .command: (.program, "command line", [":"], "go to number colon")
        case .help: (.program, "all keys", ["?", "f1"], "palette")
        case .cache: (.program, "cache screen", ["C"], "disk inspect")
        case .reloadConfiguration: (.program, "reload config", ["ctrl-r"], "settings theme keys colours configuration")
        case .redraw: (.program, "redraw", ["ctrl-l"], "refresh screen")
        case .suspend: (.program, "suspend", ["ctrl-z"], "")
        case .quit: (.program, "quit", ["q", "ctrl-c"], "exit leave")
        }
    }
}

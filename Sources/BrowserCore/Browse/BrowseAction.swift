/// What the user can ask of the browser by a key, from the palette or on the command line.
enum BrowseAction: String, Sendable, CaseIterable {
    case down, up, top, bottom, halfPageDown, halfPageUp, pageDown, pageUp, nextMatch, previousMatch
    case fullScreen, grid, slideshow, switchPane, info, filter, clearFilter, sort, names
    case zoomIn, zoomOut, zoomFit, zoomActual, panLeft, panRight
    case pauseAnimation, previousFrame, nextFrame
    case process, transition, copyURL, openExternally
    case mark, markRange, markAll, unmarkAll, export, removeFromCache
    case tasks, reload, retryFailed, cancel, pausePrefetch, lowData
    case command, help, cache, reloadConfiguration, redraw, suspend, quit

    /// As the config file and the command line call it: `half-page-down`.
    var name: String {
        if self == .copyURL { return "copy-url" }
        return rawValue.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

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
        case .grid: "thumbnails"
        case .slideshow: "slideshow"
        case .switchPane: "switch pane"
        case .filter: "filter the list"
        case .clearFilter: "clear the filter"
        case .nextMatch: "next match"
        case .previousMatch: "previous match"
        case .sort: "change sort order"
        case .names: "name, path or URL"
        case .mark: "mark"
        case .markRange: "mark a range"
        case .markAll: "mark all"
        case .unmarkAll: "unmark all"
        case .zoomIn: "zoom in"
        case .zoomOut: "zoom out"
        case .zoomFit: "zoom to fit"
        case .zoomActual: "zoom to 1:1"
        case .panLeft: "move left"
        case .panRight: "move right"
        case .info: "picture details"
        case .tasks: "tasks"
        case .reload: "reload"
        case .retryFailed: "retry all failed"
        case .cancel: "cancel download"
        case .pausePrefetch: "pause prefetch"
        case .pauseAnimation: "pause animations"
        case .previousFrame: "previous frame"
        case .nextFrame: "next frame"
        case .process: "processors"
        case .transition: "next transition"
        case .copyURL: "copy the URL"
        case .openExternally: "open in another program"
        case .export: "export"
        case .removeFromCache: "remove from cache"
        case .lowData: "low data"
        case .cache: "cache screen"
        case .command: "command line"
        case .help: "all keys"
        case .reloadConfiguration: "reload config"
        case .redraw: "redraw"
        case .suspend: "suspend"
        case .quit: "quit"
        }
    }

    /// What else people look for it by.
    var searchTerms: String {
        switch self {
        case .grid: "grid overview"
        case .slideshow: "play presentation"
        case .fullScreen: "fullscreen large"
        case .top, .bottom: "go jump home end"
        case .switchPane: "tab focus"
        case .filter, .nextMatch, .previousMatch: "search find"
        case .clearFilter: "escape back show all"
        case .sort: "order"
        case .names: "url folder location rows"
        case .mark, .markRange, .markAll, .unmarkAll: "select choose"
        case .zoomIn, .zoomOut, .zoomFit, .zoomActual: "magnify scale actual size"
        case .panLeft, .panRight: "pan scroll"
        case .info: "info exif metadata headers"
        case .tasks: "queue priority downloads transfers"
        case .reload: "refresh fetch again"
        case .retryFailed: "again errors"
        case .cancel: "stop abort"
        case .pausePrefetch: "stop resume download"
        case .pauseAnimation: "play gif stop"
        case .previousFrame, .nextFrame: "gif step"
        case .process: "filters effects chain preview"
        case .transition: "fade wipe flip"
        case .copyURL: "clipboard address link yank"
        case .openExternally: "external viewer browser"
        case .export: "save write file"
        case .removeFromCache: "delete remove"
        case .lowData: "metered bandwidth"
        case .cache: "disk inspect"
        case .command: "go to number colon"
        case .help: "palette"
        case .reloadConfiguration: "settings theme keys colours configuration"
        case .redraw: "refresh screen"
        case .quit: "exit leave"
        default: ""
        }
    }

    /// The keys that do it unless others were chosen.
    var standardKeys: [String] {
        switch self {
        case .down: ["j", "down"]
        case .up: ["k", "up"]
        case .top: ["gg", "home"]
        case .bottom: ["G", "end"]
        case .halfPageDown: ["ctrl-d"]
        case .halfPageUp: ["ctrl-u"]
        case .pageDown: ["ctrl-f", "page-down"]
        case .pageUp: ["ctrl-b", "page-up"]
        case .fullScreen: ["enter"]
        case .grid: ["t"]
        case .slideshow: ["S"]
        case .switchPane: ["tab", "shift-tab"]
        case .filter: ["/"]
        case .clearFilter: ["esc"]
        case .nextMatch: ["n"]
        case .previousMatch: ["N"]
        case .sort: ["s"]
        case .names: ["a"]
        case .mark: ["space"]
        case .markRange: ["v"]
        case .markAll: ["*"]
        case .unmarkAll: ["u"]
        case .zoomIn: ["z", "+", "="]
        case .zoomOut: ["Z", "-"]
        case .zoomFit: ["0"]
        case .zoomActual: ["1"]
        case .panLeft: ["h", "left"]
        case .panRight: ["l", "right"]
        case .info: ["i"]
        case .tasks: ["w"]
        case .reload: ["r"]
        case .retryFailed: ["R"]
        case .cancel: ["x"]
        case .pausePrefetch: ["p"]
        case .pauseAnimation: ["."]
        case .previousFrame: ["["]
        case .nextFrame: ["]"]
        case .process: ["P"]
        case .transition: ["T"]
        case .copyURL: ["y"]
        case .openExternally: ["o"]
        case .export: ["e"]
        case .removeFromCache: ["d"]
        case .lowData: ["L"]
        case .cache: ["C"]
        case .command: [":"]
        case .help: ["?", "f1"]
        case .reloadConfiguration: ["ctrl-r"]
        case .redraw: ["ctrl-l"]
        case .suspend: ["ctrl-z"]
        case .quit: ["q", "ctrl-c"]
        }
    }
}

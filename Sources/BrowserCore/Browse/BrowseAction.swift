import AlcedoScreen

/// A heading of the help.
enum HelpTopic: String, Sendable, CaseIterable {
    case move, view, picture, marks, files, transfers, program

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// The help entry of an action: its topic, title and keys.
struct ActionTraits: Sendable {
    /// The heading.
    let topic: HelpTopic
    let title: String
    /// The names of the keys.
    var keys: [String]
    /// Other words that the search finds.
    let terms: String

    init(_ topic: HelpTopic, _ title: String, _ keys: [String], _ terms: String = "") {
        (self.topic, self.title, self.keys, self.terms) = (topic, title, keys, terms)
    }

    /// Returns the keys in their short form.
    func signs(_ glyphs: GlyphSet) -> [String] {
        keys.compactMap(KeyName.keys).map { $0.map { KeyName.sign($0, glyphs) }.joined() }
    }
}

/// An action that a key, the palette or the command line triggers; the help lists them in this order.
enum BrowseAction: String, Sendable, CaseIterable {
    case down, up, top, bottom, halfPageDown, halfPageUp, pageDown, pageUp, nextMatch, previousMatch, lastPicture
    case parentFolder, places, flat, hiddenFiles
    case fullScreen, grid, slideshow, switchPane, info, filter, clearFilter, sort, names
    case duplicates, compare, difference
    case turnLeft, turnRight, mirror, flip
    case zoomIn, zoomOut, zoomFit, zoomActual, zoomWidth, zoomHeight, zoomFill, panLeft, panRight
    case pauseAnimation, previousFrame, nextFrame
    case process, transition, copyURL, openExternally
    case mark, markRange, markAll, invertMarks, nextMark, previousMark, markMatches, markAllButLargest, markAllButFirst,
        unmarkAll, export, runCommand
    case trash, delete, rename, copyFiles, cutFiles, putFiles, copyTo, moveTo, undo, removeFromCache
    case tasks, reload, retryFailed, cancel, pausePrefetch, prefetchAll, lowData
    case command, help, cache, reloadConfiguration, redraw, suspend, quit

    /// The name in the configuration file and on the command line: `half-page-down`.
    var name: String {
        if self == .copyURL { return "copy-url" }
        return rawValue.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    var traits: ActionTraits {
        switch self {
        case .down: .init(.move, "next picture", ["j", "down"])
        case .up: .init(.move, "previous picture", ["k", "up"])
        case .top: .init(.move, "first picture", ["gg", "home"], "go jump home end")
        case .bottom: .init(.move, "last picture", ["G", "end"], "go jump home end")
        case .halfPageDown: .init(.move, "half a page down", ["ctrl-d"])
        case .halfPageUp: .init(.move, "half a page up", ["ctrl-u"])
        case .pageDown: .init(.move, "next page", ["ctrl-f", "page-down"])
        case .pageUp: .init(.move, "previous page", ["ctrl-b", "page-up"])
        case .nextMatch: .init(.move, "next match", ["n"], "search find")
        case .previousMatch: .init(.move, "previous match", ["N"], "search find")
        case .lastPicture: .init(.move, "last picture seen", ["ctrl-o"], "back previous jump")
        case .parentFolder: .init(.move, "parent folder", ["backspace"], "directory up leave back")
        case .places: .init(.move, "places", ["~"], "folders recent pinned bookmarks go")
        case .flat: .init(.view, "with subfolders", ["gf"], "flat recursive directory tree")
        case .hiddenFiles: .init(.view, "hidden files", ["g."], "dot invisible show folders")
        case .fullScreen: .init(.view, "full screen", ["enter"], "fullscreen large")
        case .grid: .init(.view, "thumbnails", ["t"], "grid overview")
        case .slideshow: .init(.view, "slideshow", ["S"], "play presentation")
        case .switchPane: .init(.view, "switch pane", ["tab", "shift-tab"], "tab focus")
        case .info: .init(.view, "picture details", ["i"], "info exif metadata headers")
        case .filter: .init(.view, "filter the list", ["/"], "search find")
        case .clearFilter: .init(.view, "clear the filter", ["esc"], "escape back show all")
        case .sort: .init(.view, "sort", ["s"], "order direction reverse shuffle random date")
        case .names: .init(.view, "name, path or URL", ["a"], "url folder location rows")
        case .duplicates: .init(.view, "duplicates", ["D"], "identical similar equal twice groups")
        case .compare: .init(.view, "compare two", ["="], "pictures side by side flip psnr ssim")
        case .difference: .init(.view, "difference of two", ["X"], "pictures compare psnr ssim")
        case .turnLeft: .init(.picture, "turn left", ["<"], "rotate write")
        case .turnRight: .init(.picture, "turn right", [">"], "rotate write")
        case .mirror: .init(.picture, "left to right", ["|"], "flip mirror horizontal")
        case .flip: .init(.picture, "upside down", ["_"], "flip mirror vertical")
        case .zoomIn: .init(.picture, "zoom in", ["z", "+"], "magnify scale actual size")
        case .zoomOut: .init(.picture, "zoom out", ["Z", "-"], "magnify scale actual size")
        case .zoomFit: .init(.picture, "zoom to fit", ["0"], "magnify scale actual size")
        case .zoomActual: .init(.picture, "zoom to 1:1", ["1"], "magnify scale actual size")
        case .zoomWidth: .init(.picture, "fill the width", ["2"], "zoom fit")
        case .zoomHeight: .init(.picture, "fill the height", ["3"], "zoom fit")
        case .zoomFill: .init(.picture, "fill the area", ["4"], "zoom fit crop")
        case .panLeft: .init(.picture, "move left", ["h", "left"], "pan scroll")
        case .panRight: .init(.picture, "move right", ["l", "right"], "pan scroll")
        case .pauseAnimation: .init(.picture, "pause animations", ["."], "play gif stop")
        case .previousFrame: .init(.picture, "previous frame, page", ["["], "gif step pdf tiff")
        case .nextFrame: .init(.picture, "next frame or page", ["]"], "gif step pdf tiff")
        case .process: .init(.picture, "processors", ["P"], "filters effects chain preview")
        case .transition: .init(.picture, "next transition", ["T"], "fade wipe flip")
        case .copyURL: .init(.picture, "copy the URL", ["yu"], "clipboard address link yank")
        case .openExternally: .init(.picture, "another program", ["o"], "open external viewer browser")
        case .mark: .init(.marks, "mark", ["space"], "select choose")
        case .markRange: .init(.marks, "mark a range", ["v"], "select choose")
        case .markAll: .init(.marks, "mark all", ["*"], "select choose")
        case .invertMarks: .init(.marks, "invert marks", ["V"], "select others")
        case .nextMark: .init(.marks, "next marked", ["}"], "select")
        case .previousMark: .init(.marks, "previous marked", ["{"], "select")
        case .markMatches: .init(.marks, "mark by a filter", ["gm"], "select choose")
        case .markAllButLargest: .init(.marks, "all but largest", ["K"], "mark duplicates keep group")
        case .markAllButFirst: .init(.marks, "all but first", ["F"], "mark duplicates keep group")
        case .unmarkAll: .init(.marks, "unmark all", ["u"], "select choose")
        case .export: .init(.marks, "export", ["e"], "save write file")
        case .runCommand: .init(.marks, "run a command", ["!"], "shell delete move rename trash files")
        case .trash: .init(.files, "to the trash", ["dd", "delete"], "delete remove file")
        case .delete: .init(.files, "delete for good", ["shift-delete"], "remove file")
        case .rename: .init(.files, "rename, in an editor", ["cw", "f2"], "name many several")
        case .copyFiles: .init(.files, "take to copy", ["yy"], "yank paste file")
        case .cutFiles: .init(.files, "take to move", ["xx"], "cut paste file")
        case .putFiles: .init(.files, "put them here", ["p"], "paste file")
        case .copyTo: .init(.files, "copy to a folder", ["C"], "file")
        case .moveTo: .init(.files, "move to a folder", ["M"], "file")
        case .undo: .init(.files, "take files back", ["U"], "undo trash move rename copy")
        case .removeFromCache: .init(.transfers, "remove from cache", ["dc"], "delete remove")
        case .tasks: .init(.transfers, "tasks", ["w"], "queue priority downloads transfers")
        case .reload: .init(.transfers, "reload", ["r"], "refresh fetch again")
        case .retryFailed: .init(.transfers, "retry all failed", ["R"], "again errors")
        case .cancel: .init(.transfers, "cancel", ["xc"], "stop abort")
        case .pausePrefetch: .init(.transfers, "pause prefetch", ["gp"], "stop resume download")
        case .prefetchAll: .init(.transfers, "prefetch all or near", ["A"], "download window list")
        case .lowData: .init(.transfers, "low data", ["L"], "metered bandwidth")
        case .command: .init(.program, "command line", [":"], "go to number colon")
        case .help: .init(.program, "all keys", ["?", "f1"], "palette help signs terminal")
        case .cache: .init(.program, "cache screen", ["gc"], "disk inspect")
        case .reloadConfiguration:
            .init(.program, "reload config", ["ctrl-r"], "settings theme keys colours configuration")
        case .redraw: .init(.program, "redraw", ["ctrl-l"], "refresh screen")
        case .suspend: .init(.program, "suspend", ["ctrl-z"])
        case .quit: .init(.program, "quit", ["q", "ctrl-c"], "exit leave")
        }
    }
}

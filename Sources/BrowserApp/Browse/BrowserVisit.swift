import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import AlcedoTerminal
import FoundationEssentials
import Glibc

/// One list that the browser shows: that of the command line, or a folder that the user went to.
@MainActor
final class BrowserVisit {
    let loop: ScreenLoop<BrowseState>
    let listLoader: BrowserListLoader
    let sessionFile: SessionFile?
    /// The absolute path of the folder that is listed; nil for other lists.
    let folder: String?
    /// The terminal's events while this list is shown.
    let events = DirectStream<TerminalEvent>()

    /// Creates the first list, which the settings name.
    init(_ settings: BrowserSettings, options: BrowseOptions) {
        folder = settings.lists.count == 1 ? Self.folder(at: settings.lists[0]) : nil
        sessionFile = Self.sessionFile(of: folder.map { [$0] } ?? settings.lists, settings)
        let session = sessionFile?.load() ?? BrowserSession()
        let isFlat = settings.isFlat || session.isFlat
        let showsHidden = settings[.hidden]
        let place = folder.map {
            FolderPlace(path: Self.shown($0, settings), whole: $0, isFlat: isFlat, showsHidden: showsHidden)
        }
        // The title may say more than the source.
        let source = settings.lists.first ?? ""
        let title =
            place.flatMap { place in
                settings.title.hasPrefix(source) ? place.path + settings.title.dropFirst(source.count) : nil
            } ?? Redaction.display(settings.title)
        loop = ScreenLoop(BrowseState(title: title, options: options, place: place))
        listLoader = BrowserListLoader(
            lists: folder.map { [$0] } ?? settings.lists, base: settings.base,
            ignoredQuery: IgnoredQuery(settings.library.configuration[.ignoredQuery]), isFlat: isFlat || folder == nil,
            showsHidden: showsHidden, session: session, inbox: loop.inbox)
    }

    /// Creates the list of another folder.
    ///
    /// - Parameter showsHidden: Whether hidden files are listed; nil for what the list before does.
    /// - Parameter selected: The path that is selected; nil for the one that was selected there before.
    private init(
        folder: String, isFlat: Bool?, showsHidden: Bool? = nil, selecting selected: String?, after old: BrowserVisit,
        _ settings: BrowserSettings
    ) {
        self.folder = folder
        sessionFile = Self.sessionFile(of: [folder], settings)
        var session = sessionFile?.load() ?? BrowserSession()
        // A filter would hide what the user came for.
        session.filter = ""
        session.columns = old.loop.state.gridColumns
        if let selected { session.selected = BrowserSession.hash(selected) }
        let isFlat = isFlat ?? session.isFlat
        session.isFlat = isFlat
        let showsHidden = showsHidden ?? old.listLoader.showsHidden
        let place = FolderPlace(
            path: Self.shown(folder, settings), whole: folder, isFlat: isFlat, showsHidden: showsHidden)
        loop = ScreenLoop(BrowseState(title: place.path, place: place, after: old.loop.state))
        listLoader = BrowserListLoader(
            lists: [folder], isFlat: isFlat, showsHidden: showsHidden, session: session, inbox: loop.inbox)
    }

    /// Returns the list that follows this one; nil, with a notice, if there is none.
    func next(_ visit: FolderVisit, _ settings: BrowserSettings) -> BrowserVisit? {
        guard let folder else { return nil }
        switch visit {
        case .subfolder(let item):
            guard let path = listLoader.folder(item) else { return nil }
            guard path.withPath({ access($0, R_OK | X_OK) }) == 0 else {
                loop.inbox.post(.warning("\(shownName(path)) cannot be read: \(String(cString: strerror(errno)))"))
                return nil
            }
            return BrowserVisit(folder: path, isFlat: nil, selecting: nil, after: self, settings)
        case .parent:
            guard folder != "/" else {
                loop.inbox.post(.notice("this is the top folder"))
                return nil
            }
            var above = folder.pathFolder
            // A folder that is gone may have left with those above it.
            while above != "/", above.withPath({ access($0, F_OK) }) != 0 { above = above.pathFolder }
            return BrowserVisit(folder: above, isFlat: false, selecting: folder, after: self, settings)
        case .path(let path):
            guard path.withPath({ access($0, R_OK | X_OK) }) == 0 else {
                loop.inbox.post(.warning("\(shownName(path)) cannot be read: \(String(cString: strerror(errno)))"))
                return nil
            }
            return BrowserVisit(folder: path, isFlat: nil, selecting: nil, after: self, settings)
        case .flat(let isFlat):
            return BrowserVisit(folder: folder, isFlat: isFlat, selecting: selectedPath, after: self, settings)
        case .hidden(let areShown):
            let isFlat = loop.state.place?.isFlat
            return BrowserVisit(
                folder: folder, isFlat: isFlat, showsHidden: areShown, selecting: selectedPath, after: self, settings)
        }
    }

    func storeSession() { sessionFile?.store(listLoader.session(of: loop.state)) }

    private var selectedPath: String? { loop.state.selected.flatMap { listLoader.location($0) } }

    private func shownName(_ path: String) -> String { SafeText.clean(String(path.split(separator: "/").last ?? "")) }

    private static func sessionFile(of lists: [String], _ settings: BrowserSettings) -> SessionFile? {
        guard settings[.session] else { return nil }
        return SessionFile(folder: UserFolder.state("sessions", settings.environment), lists: lists)
    }

    /// Returns the absolute path of a folder; nil for other sources.
    ///
    /// Links stay in it, as the user typed them, unless it goes up by `..`.
    private static func folder(at source: String) -> String? {
        guard case .folder(let path)? = try? ListSource.detect(source) else { return nil }
        let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath.inFolder(path)
        let parts = whole.split(separator: "/").filter { $0 != "." }
        guard parts.contains("..") else { return "/" + parts.joined(separator: "/") }
        return path.withPath { path in
            guard let real = realpath(path, nil) else { return nil }
            defer { free(real) }
            return String(pathCString: real)
        }
    }

    /// Returns a path with `~` in place of the home folder.
    private static func shown(_ path: String, _ settings: BrowserSettings) -> String {
        guard let home = settings.environment["HOME"], home.count > 1, path == home || path.hasPrefix(home + "/") else {
            return Redaction.display(path)
        }
        return Redaction.display("~" + path.dropFirst(home.count))
    }
}

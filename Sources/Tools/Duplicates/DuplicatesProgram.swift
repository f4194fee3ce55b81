import AlcedoComparison
import AlcedoConfig
import AlcedoFileOperations
import AlcedoPrefetch
import AlcedoScreen
import Foundation
import ImageLoading
import Raster
import Synchronization

/// Finds equal and similar pictures in lists and folders, and changes all files of a group but the best.
package struct DuplicatesProgram {
    /// What becomes of the files beside the best one.
    package enum Action: Sendable, Hashable {
        case trash
        case delete
        case move(into: String)
        /// Files with equal bytes become links to the best one, or share its bytes.
        case link(FileLink)
    }

    /// The lists, and how they are read.
    package var settings = PrefetchSettings()
    /// The folders or lists whose pictures stay: only what is there, too, is a duplicate.
    package var references: [String] = []
    /// The bits in which the hashes of similar pictures differ at most, 0 to 15; nil for equal bytes only.
    package var distance: Int?
    /// Whether turned and mirrored pictures are similar.
    package var isTurned = false
    package var action: Action?
    package var isDryRun = false
    package var printsJSON = false
    /// Asks the user whether something may be done.
    package var agrees: (String) throws -> Bool = { _ in true }
    private let console: Console

    package init(console: Console = Console()) { self.console = console }

    /// Prints the groups, performs the action and returns the exit code: 0, 3 if a picture or a file failed, 4 if no
    /// picture is usable.
    ///
    /// - Parameter run: Runs the prefetch, which checks the pictures.
    package func run(_ run: (PrefetchSettings) async throws -> PrefetchTally) async throws -> Int32 {
        let found = PictureCollection()
        var settings = settings
        // What is in both is read as a reference.
        settings.lists = references + settings.lists
        settings.inspection = .whole
        settings[.check] = .decode
        settings.resumes = false
        settings.onPicture = { found.add($0) }
        let tally = try await run(settings)
        guard tally.signal == nil else { return tally.exitCode }
        let groups = DuplicateFiles(found.pictures, references: references).groups(within: distance, isTurned: isTurned)
        for (index, group) in groups.enumerated() {
            console.output(group.report(index + 1), asJSON: printsJSON, lines: group.lines(index + 1))
        }
        console.message(summary(of: groups))
        let failed = try perform(on: groups)
        return tally.exitCode == 0 && failed ? 3 : tally.exitCode
    }

    private func summary(of groups: [DuplicateGroup]) -> String {
        if groups.isEmpty { return "no picture is there twice" }
        let pictures = groups.reduce(0) { $0 + $1.pictures.count }
        let spare = groups.reduce(0) { $0 + $1.spare }
        return "\(Units.counted(groups.count, "group")) of \(Units.counted(pictures, "picture")), "
            + "\(Units.bytes(spare)) beside the best"
    }

    // MARK: The action

    /// Performs the action; returns whether a file failed.
    private func perform(on groups: [DuplicateGroup]) throws -> Bool {
        guard let action else { return false }
        var (targets, keepers, failures) = ([DuplicateGroup.Picture](), [String: String](), [(String, String)]())
        for group in groups {
            for picture in group.spares where !(action.isLink && !picture.isEqual) {
                if let problem = group.problem(of: picture) {
                    failures.append((picture.shown, problem))
                } else {
                    targets.append(picture)
                    keepers[picture.location] = group.pictures[0].location
                }
            }
        }
        for (name, reason) in failures { console.message("left as it is: \(name): \(reason)") }
        guard !targets.isEmpty else { return false }
        let bytes = targets.reduce(0) { $0 + $1.bytes }
        let similar = targets.count { !$0.isEqual }
        let what =
            "\(action.verb) \(Units.counted(targets.count, "file")) of \(Units.bytes(bytes))\(action.place)"
            + (similar > 0 ? ", \(Units.count(similar)) of them only similar" : "")
        if isDryRun {
            for picture in targets { console.message("would \(action.verb): \(picture.shown)") }
            console.message("would \(what)")
            return false
        }
        guard try agrees(what) else {
            console.message("nothing was changed")
            return false
        }
        return change(targets, keepers, action)
    }

    private func change(_ targets: [DuplicateGroup.Picture], _ keepers: [String: String], _ action: Action) -> Bool {
        let paths = targets.map(\.location)
        let home = settings.library.environment["HOME"] ?? "/"
        let files = FileOperator(
            trashFolder: FileHistory.trash(home: home, dataHome: settings.library.environment["XDG_DATA_HOME"]))
        let outcome =
            switch action {
            case .trash: files.perform(.trash, on: paths)
            case .delete: files.perform(.delete, on: paths)
            case .move(into: let folder): files.perform(.move(into: FileHistory.absolute(folder)), on: paths)
            case .link(let link): files.link(paths.map { ($0, keepers[$0] ?? $0) }, as: link)
            }
        for failure in outcome.failures { console.message("failed: \(failure.path): \(failure.reason)") }
        let done = paths.count - outcome.failures.count
        console.message("\(action.past) \(Units.counted(done, "file"))\(action.place)")
        return !outcome.failures.isEmpty
    }
}

extension DuplicatesProgram.Action {
    fileprivate var isLink: Bool { if case .link = self { true } else { false } }

    fileprivate var verb: String {
        switch self {
        case .trash, .move: "move"
        case .delete: "delete"
        case .link: "replace"
        }
    }

    fileprivate var past: String {
        switch self {
        case .trash, .move: "moved"
        case .delete: "deleted"
        case .link: "replaced"
        }
    }

    fileprivate var place: String {
        switch self {
        case .trash: " to the trash"
        case .delete: ""
        case .move(into: let folder): " to \(folder)"
        case .link(.hard): " by hard links"
        case .link(.sym): " by symbolic links"
        case .link(.reflink): " by copies that share their bytes"
        }
    }
}

/// The pictures of a run, as they arrive.
private final class PictureCollection: Sendable {
    private let found = Mutex<[CheckedPicture]>([])

    var pictures: [CheckedPicture] { found.withLock(\.self) }

    func add(_ picture: CheckedPicture) { found.withLock { $0.append(picture) } }
}

import AlcedoComparison
import AlcedoConfig
import AlcedoFileOperations
import AlcedoPrefetch
import AlcedoScreen
import FoundationEssentials
import Glibc
import ImageLoading
import Raster
import Synchronization

/// Finds equal and similar pictures in lists and folders, and changes all files of a group but the best.
package struct DuplicatesProgram {
    /// A change of the files beside the best one.
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

    /// Prints the groups, performs the action and returns the exit code: 0, 1 if the user does not agree, 3 if a picture
    /// or a file failed, 4 if no picture is usable.
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
        let groups = await groups(of: found.pictures)
        for (index, group) in groups.enumerated() {
            console.output(group.report(index + 1), asJSON: printsJSON, lines: group.lines(index + 1))
        }
        console.message(summary(of: groups))
        let code = try perform(on: groups)
        return code == 0 ? tally.exitCode : code
    }

    /// Returns the groups; where a picture may be another one with a frame, its border does not count.
    private func groups(of pictures: [CheckedPicture]) async -> [DuplicateGroup] {
        func groups(_ pictures: [CheckedPicture]) -> [DuplicateGroup] {
            DuplicateFiles(pictures, references: references).groups(within: distance, isTurned: isTurned)
        }
        let first = groups(pictures)
        let paths = first.flatMap(\.maybeFramed)
        guard !paths.isEmpty else { return first }
        let parts = await partsInside(of: paths)
        return groups(
            pictures.map { picture in
                var picture = picture
                if let part = parts[picture.location] { picture.pixels = Int(Double(picture.pixels) * part) }
                return picture
            })
    }

    /// Returns for each picture that has a border the part of its pixels inside.
    ///
    /// A twentieth less is returned, as the border is measured in a small copy: of two pictures that show as much, the
    /// one without a frame is the best.
    private func partsInside(of paths: [String]) async -> [String: Double] {
        var library = settings.library
        library.usesDisk = false
        return await ImageServices.open(library, console: console) { services in
            var parts: [String: Double] = [:]
            let reduction = DownsamplingImageProcessor(size: PixelSize(width: 512, height: 512))
            for path in paths {
                guard let pixels = try? await services.image(at: path, processor: reduction, console: console).pixels
                else { continue }
                let part = PerceptualHash.partInside(pixels)
                if part < 1 { parts[path] = part * 0.95 }
            }
            return parts
        }
    }

    private func summary(of groups: [DuplicateGroup]) -> String {
        if groups.isEmpty { return "no picture is there twice" }
        let pictures = groups.reduce(0) { $0 + $1.pictures.count }
        let spare = groups.reduce(0) { $0 + $1.spare }
        return "\(Units.counted(groups.count, "group")) of \(Units.counted(pictures, "picture")), "
            + "\(Units.bytes(spare)) beside the best"
    }

    // MARK: The action

    /// A file that is not needed, and its group.
    private typealias Spare = (picture: DuplicateGroup.Picture, group: DuplicateGroup)

    /// Performs the action; returns the exit code: 0, 1 if the user does not agree, 3 if a file failed.
    private func perform(on groups: [DuplicateGroup]) throws -> Int32 {
        guard let action else { return 0 }
        var spares: [Spare] = []
        for group in groups {
            for picture in group.spares where !(action.isLink && !picture.isEqual) {
                guard let problem = group.problem(of: picture) else {
                    spares.append((picture, group))
                    continue
                }
                console.message("left as it is: \(picture.shown): \(problem)")
            }
        }
        guard !spares.isEmpty else { return 0 }
        let bytes = spares.reduce(0) { $0 + $1.picture.bytes }
        let similar = spares.count { !$0.picture.isEqual }
        let what =
            "\(action.verb) \(Units.counted(spares.count, "file")) of \(Units.bytes(bytes))\(action.place)"
            + (similar > 0 ? ", \(Units.count(similar)) of them only similar" : "")
        if isDryRun {
            for (picture, _) in spares { console.message("would \(action.verb): \(picture.shown)") }
            console.message("would \(what)")
            return 0
        }
        guard try agrees(what) else {
            console.message("nothing was changed")
            return 1
        }
        return change(spares, action) ? 0 : 3
    }

    /// Applies the action to each spare file in turn; a signal ends it after the current file.
    ///
    /// A file that was changed since it was compared is left and counts as failed.
    ///
    /// - Returns: Whether all were changed.
    private func change(_ spares: [Spare], _ action: Action) -> Bool {
        let stop = StopFlag()
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP]) { _ in stop.isSet.store(true, ordering: .relaxed) }
        defer { withExtendedLifetime(signals) {} }
        let environment = settings.library.environment
        let files = FileOperator(
            trashFolder: FileHistory.trash(home: environment["HOME"] ?? "/", dataHome: environment["XDG_DATA_HOME"]))
        var (done, failed) = (0, 0)
        for (picture, group) in spares {
            if stop.isSet.load(ordering: .relaxed) { break }
            var problem = group.problem(of: picture)
            if problem == nil {
                let outcome = perform(action, on: picture.location, keeping: group.pictures[0].location, files)
                problem = outcome.failures.first?.reason
            }
            if let problem {
                failed += 1
                console.message("failed: \(picture.shown): \(problem)")
            } else {
                done += 1
            }
        }
        console.message("\(action.past) \(Units.counted(done, "file"))\(action.place)")
        let left = spares.count - done - failed
        if left > 0 { console.message("stopped: \(Units.counted(left, "file")) left") }
        return done == spares.count
    }

    private func perform(
        _ action: Action, on path: String, keeping best: String, _ files: FileOperator
    ) -> FileOutcome {
        switch action {
        case .trash: files.perform(.trash, on: [path])
        case .delete: files.perform(.delete, on: [path])
        case .move(into: let folder): files.perform(.move(into: FileHistory.absolute(folder)), on: [path])
        case .link(let link): files.link([(path, best)], as: link)
        }
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

/// Whether the user asked to stop.
private final class StopFlag: Sendable {
    let isSet = Atomic(false)
}

/// The pictures of a run, as they arrive.
private final class PictureCollection: Sendable {
    private let found = Mutex<[CheckedPicture]>([])

    var pictures: [CheckedPicture] { found.withLock(\.self) }

    func add(_ picture: CheckedPicture) { found.withLock { $0.append(picture) } }
}

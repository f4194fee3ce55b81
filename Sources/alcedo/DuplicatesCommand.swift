import AlcedoConfig
import AlcedoFileOperations
import AlcedoPrefetch
import AlcedoTools
import ArgumentParser
import FoundationEssentials
import Glibc

/// The command `alcedo dups`.
struct DuplicatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dups",
        abstract: "Find equal and similar pictures in lists and folders, and remove them.",
        discussion: """
            Reads and decodes every picture, as alcedo check --full does; nothing is stored. Similar pictures are resized, \
            recompressed, brightened or slightly cropped copies: their hashes differ in at most --like bits of 64. The best \
            picture of a group stays: whole before damaged, most pixels, most bytes, shortest path. Without an action the \
            groups are only printed. Actions change local files only; on a terminal they ask first, without one they need --yes.
            Exit code: 0 done, 1 could not run or not confirmed, 2 usage error, 3 some pictures or files failed, 4 nothing usable.
            Examples:
              alcedo dups ~/Pictures
              alcedo dups ~/Pictures --identical --link hard
              alcedo dups ~/Downloads --against ~/Pictures --delete
              alcedo dups photos.txt --json | jq -r 'select(.type == "group").pictures[] | select(.keep | not).url'
            """)

    @Option(name: .long, help: "Bits in which hashes of similar pictures differ at most, 0 to 15.")
    var like = 8
    @Flag(name: .long, help: "Find pictures with equal bytes only.") var identical = false
    @Flag(name: .long, help: "Find turned and mirrored copies, too.") var turned = false
    @Option(name: .long, help: "Only what this folder or list has, too; its pictures stay. Repeat for more.")
    var against: [String] = []
    @Flag(name: .long, help: "Move all but the best to the trash.") var delete = false
    @Flag(name: .long, help: "With --delete: remove them for good.") var permanently = false
    @Option(name: .long, help: "Move all but the best into this folder.", completion: .directory) var move: String?
    @Option(
        name: .long, help: "Replace files with equal bytes by links to the best: hard, sym or reflink.",
        completion: .names(of: FileLink.self))
    var link: String?
    @Flag(name: .long, help: "Print what an action would do.") var dryRun = false
    @Flag(name: .long, help: "Do not ask.") var yes = false
    @OptionGroup var lists: ListRunFlags

    func run() async throws {
        var program = DuplicatesProgram()
        program.settings = try lists.settings()
        // The lines of pictures are not printed, but those of groups.
        program.settings.printsJSON = false
        program.settings[.quiet] = program.settings[.quiet] || lists.output.json
        program.references = against
        program.distance = identical ? nil : try OptionText.number(like, of: "--like", in: 0...15)
        program.isTurned = turned
        program.action = try action()
        program.isDryRun = dryRun
        program.printsJSON = lists.output.json
        program.agrees = { what in try agrees(to: what) }
        let code = try await program.run { settings in
            try await PrefetchProgram(settings: settings).runHandlingSignals()
        }
        if code != 0 { throw ExitCode(code) }
    }

    private func action() throws -> DuplicatesProgram.Action? {
        guard [delete, move != nil, link != nil].count(where: { $0 }) < 2 else {
            throw UsageProblem(text: "one of --delete, --move and --link can be done")
        }
        if permanently, !delete { throw UsageProblem(text: "--permanently needs --delete") }
        if let move {
            guard !move.isEmpty else { throw UsageProblem(text: "--move needs a folder") }
            return .move(into: move)
        }
        if let link { return .link(try OptionText.choice(link, of: "--link")) }
        return delete ? permanently ? .delete : .trash : nil
    }

    private func agrees(to what: String) throws -> Bool {
        if yes { return true }
        let console = Console()
        guard console.inputIsTerminal else {
            throw UsageProblem(text: "this would \(what); without a terminal, use --yes or --dry-run")
        }
        // The run before ignored it.
        signal(SIGINT, SIG_DFL)
        console.prompt(what.prefix(1).uppercased() + what.dropFirst() + "? [y/N] ")
        return readLine()?.lowercased().hasPrefix("y") == true
    }
}

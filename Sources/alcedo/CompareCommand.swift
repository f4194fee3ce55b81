import AlcedoLists
import ArgumentParser
import ImageLoading

/// The command `alcedo compare`.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compare two pictures in the terminal.",
        discussion: """
            Shows both side by side with how much they differ: x flips between them, X shows the difference, z zooms \
            both, Esc leads to the list of both, q quits.

            Examples:
              alcedo compare before.png after.png
              git config difftool.alcedo.cmd 'alcedo compare -- "$LOCAL" "$REMOTE"'
            """)

    @Argument(help: "A picture: file or URL.", completion: .file()) var first: String
    @Argument(help: "The other one.", completion: .file()) var second: String
    @OptionGroup var options: BrowseFlags

    func run() async throws {
        for source in [first, second] {
            guard case .picture = try ListSource.detect(source) else {
                throw UsageProblem(text: "\(Redaction.display(source)) is no picture; compare takes two pictures")
            }
        }
        try await options.browse([first, second], title: "2 pictures", compares: true)
    }
}

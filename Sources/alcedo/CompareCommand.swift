import AlcedoConfig
import AlcedoFileOperations
import AlcedoLists
import AlcedoSupport
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
        let locations = try [first, second].map { source in
            guard case .picture(let location) = try ListSource.detect(source) else {
                throw UsageProblem(text: "\(Redaction.display(source)) is no picture; compare takes two pictures")
            }
            return location
        }
        if let problem = sameness(of: locations[0], locations[1]) { return Console().message("alcedo: \(problem)") }
        try await options.browse([first, second], title: "2 pictures", compares: true)
    }

    /// Returns a message if two locations lead to the same bytes; nil if they must be loaded to know.
    private func sameness(of one: String, _ other: String) -> String? {
        let names = [first, second].map { Redaction.display($0) }
        guard one.hasPrefix("/"), other.hasPrefix("/") else {
            let isSame = URLNormalizer.normalize(one) == URLNormalizer.normalize(other)
            return isSame ? "\(names[0]) and \(names[1]) are the same address" : nil
        }
        let (left, right) = (FileStamp(path: one.resolvedPath), FileStamp(path: other.resolvedPath))
        guard let left, let right, left.isSameFile(as: right) else { return nil }
        return "\(names[0]) and \(names[1]) are the same file"
    }
}

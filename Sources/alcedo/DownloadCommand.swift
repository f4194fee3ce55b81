import AlcedoPrefetch
import ArgumentParser
import FoundationEssentials

/// The command `alcedo download`.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download lists into a folder, a file for each picture.",
        discussion: """
            Takes the lists that alcedo prefetch takes. FOLDER/manifest.jsonl gets a line for each picture: address, \
            file, facts. A second run leaves out what is there, and --refresh asks the servers for changes. No file of \
            another origin is replaced: a name that is taken gets a number.
            Exit code: 0 all usable, 1 could not run, 2 usage error, 3 some failed, 4 nothing usable, 130 and \
            143 interrupted. The same command resumes an interrupted run.
            Names: {name}{ext} is the default. Fields: {name} the last part of the address, without the extension of a \
            picture; {stem} without any; {ext} that of the format, with its dot; {host} and {path} of the address; \
            {index} the place in the lists, {index:6} with six digits; {key} 16 digits, the same in each run; {sha256} \
            of the picture's bytes; {title} and {column:NAME} of the list. / makes folders.
            Examples:
              alcedo download photos.txt -o photos
              alcedo download photos.txt -o photos --name '{host}/{path}/{name}{ext}'
              alcedo download https://example.org/gallery.html -o gallery --no-cache
              alcedo download list.csv -o small --process 'resize(256x256, fill) |> crop(256x256)' --encode jpg:90
            """)

    @Option(name: .shortAndLong, help: "The folder; it is made if there is none.", completion: .directory)
    var output: String
    @Option(name: .long, help: "The names of the files in the folder.") var name = NameTemplate.standard.text
    @Flag(name: .long, help: "Store each address in the extended attribute user.xdg.origin.url of its file.")
    var xattr = false
    @Flag(name: .long, help: "Leave nothing in the cache.") var noCache = false
    @OptionGroup var choice: PrefetchChoiceFlags
    @OptionGroup var lists: ListRunFlags

    func run() async throws {
        var settings = try lists.settings()
        do throws(NameTemplate.Problem) {
            settings.sink = .folder(output, try NameTemplate(name), keepsAddress: xattr)
        } catch {
            throw UsageProblem(text: "--name \(error.text)")
        }
        settings.keepsCache = !noCache
        try choice.write(to: &settings)
        try await lists.run(settings)
    }
}

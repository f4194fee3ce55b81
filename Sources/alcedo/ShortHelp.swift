/// The help of a command with many options: those that people need first; `--help-all` has all of them.
enum ShortHelp {
    /// The option that shows all others.
    static let allFlag = "--help-all"

    /// The options that the help of a command shows, in this order, by the command's name.
    static let first: [String: [String]] = [
        "browse": browser, "demo": ["--rate"] + browser,
        "compare": ["--graphics", "--theme", "--process", "--ascii"],
        "show": ["--size", "--cells", "--at", "--clear", "--format", "--quality", "--process", "--page"],
        "export": ["--output", "--quality", "--force", "--process", "--page", "--frame", "--allow-incomplete"],
        "sheet": ["--output", "--quality", "--force", "--columns", "--size", "--captions", "--base"],
        "prefetch": ["--to", "--keep", "--refresh", "--retries"] + runs,
        "download": ["--output", "--name", "--process", "--encode", "--keep", "--refresh"] + runs,
        "check": ["--full", "--max-age", "--format", "--where", "--strict"] + runs,
        "dups": [
            "--like", "--identical", "--turned", "--against", "--delete", "--move", "--link", "--dry-run", "--yes",
            "--json",
        ],
    ]

    private static let browser = [
        "--theme", "--graphics", "--process", "--recursive", "--prefetch", "--transition", "--ascii", "--select",
    ]
    private static let runs = [
        "--failed", "--report", "--dry-run", "--json", "--jobs", "--limit-rate", "--header",
    ]

    /// Returns a help text without the options that are not needed first; unchanged for other texts.
    static func shortened(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let usage = lines.first(where: { $0.hasPrefix("USAGE: alcedo") }),
            let name = usage.split(separator: " ").dropFirst(2).first.map(String.init), let names = first[name],
            let start = lines.firstIndex(where: { isHeading($0) && $0 != "ARGUMENTS:" })
        else { return text }
        let options = options(in: lines[start...])
        let shown = (names + ["--help"]).compactMap { name in options.first { $0.names.contains(name) } }
        let hint = "  \(allFlag)              Show all \(options.count) options."
        return (lines[..<start] + ["OPTIONS:"] + shown.flatMap(\.lines) + [hint, ""]).joined(separator: "\n")
    }

    /// Returns whether a line is the heading of a group of arguments, as `OPTIONS:`.
    private static func isHeading(_ line: String) -> Bool {
        line.hasSuffix(":") && line == line.uppercased() && !line.hasPrefix(" ") && !line.hasPrefix("USAGE")
    }

    /// Returns the options in groups: their names, and their lines.
    private static func options(in lines: ArraySlice<String>) -> [(names: [String], lines: [String])] {
        var options: [(names: [String], lines: [String])] = []
        for line in lines where !line.isEmpty && !isHeading(line) {
            if line.hasPrefix("  -") {
                let words = line.split(whereSeparator: { " ,/".contains($0) }).prefix(while: { $0.hasPrefix("-") })
                options.append((words.map(String.init), [line]))
            } else if !options.isEmpty {
                options[options.count - 1].lines.append(line)
            }
        }
        return options
    }
}

/// A topic of `alcedo help` besides the commands.
enum HelpTopic: String, CaseIterable {
    case lists, filters, processors

    var text: String {
        switch self {
        case .lists:
            """
            A list is recognised by its content. It is a file, - for standard input, or a
            URL that ends as lists do (.txt, .xml, .html, .csv.gz …).

              plain text     one URL or path a line; # begins a comment; further URLs behind
                             a TAB are alternatives; an indented key=value belongs to the
                             picture above
              JSON           lines, arrays or objects with url and any of title, key,
                             alternatives, low_data, headers, priority, process, ttl, sha256,
                             pin, tags; otherwise every address of a picture in it
              CSV, TSV       the column of addresses, found by its name or content
              Markdown       images, links to pictures and list items, but no code
              HTML           the pictures of a page
              RSS, Atom      enclosures, media and the pictures of items
              sitemaps       pictures, and the sitemaps of an index
              CDX, Metalink  captures of a web archive; files with mirrors and digests
              gzip           any of these, compressed
              folders        their pictures; archives (zip, tar, 7z, rar) as well
            """
        case .filters:
            """
            A picture passes if it matches all terms. | separates alternatives, ! negates,
            quotes join words. A fact that is not known matches no term.

              boat  *.png  ~[0-9]$        part of the name, glob, regular expression
              host:NAME  type:JPEG        host, format
              w>1000  h<=200  mpx>2       width, height, megapixels
              bytes>500K  size<2M         size of the file
              frames>1                    frames of an animation
              ratio:16:9  color:CMYK      shape, colour model
              alpha:yes                   a pixel is transparent
              verdict:corrupt             whole, incomplete, corrupt, unreadable, unchecked
              camera:fuji  taken:2026-07  the camera's name; year, month or day of capture
              mismatch  dup  like:6       wrong name or type; same bytes; similar picture
            Reports, --keep, --reject, --where:
              tag:cat                     a tag that the list gives the picture
            Browser:
              marked  !marked             the marked pictures; the others
            Browser and reports:
              status:failed  status:5xx   the state, or the code of the response
              error:timeout               the kind of the error, or a part of its text
            Cache:
              kind:original  state:pinned processed, encoded; expired, damaged
              age>12h  unused>30d  hits<3 time since the store and the last use; uses
              key:KEY                     a key, its beginning, or an address
            """
        case .processors: ExportCommand.processors
        }
    }
}

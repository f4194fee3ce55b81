import Foundation
import ImageLoading
import TestSupport
import Testing

/// The completion scripts that `make install` puts in place.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CompletionTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private func script(for shell: String) async throws -> String {
        let result = try await place.run("--generate-completion-script", shell)
        #expect(result.code == 0 && result.errors.isEmpty)
        return try place.write(result.output, to: "completions.\(shell)")
    }

    /// What bash offers for a command line whose last word is being typed.
    private func completions(of line: String) async throws -> [String] {
        let file = try await script(for: "bash")
        let body = """
            source '\(file)'
            complete_line() {
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
                entry=$(complete -p alcedo); entry=${entry#*-F }
                "${entry%% *}" alcedo "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
            }
            complete_line \(line)
            """
        let driver = try place.write(body, to: "driver.bash")
        let folder = try BuiltProgram.url().deletingLastPathComponent().path
        let path = "\(folder):/usr/bin:/bin"
        let result = try await place.start([driver], shell: "exec bash \"$1\"", environment: ["PATH": path]).end()
        return result.lines
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `each shell accepts its completion script`(shell: String) async throws {
        let file = try await script(for: shell)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("prefetch"))
        let result = try await place.start([file], shell: "\(shell) -n \"$1\"").end()
        #expect(result.code == 0 && result.everything.isEmpty)
    }

    @Test func `command names are completed`() async throws {
        #expect(try await completions(of: "alcedo pre") == ["prefetch"])
    }

    @Test func `option values are completed`() async throws {
        let flips = try await completions(of: "alcedo browse --transition flip-l")
        #expect(flips == ["flip-left"])
        #expect(try await completions(of: "alcedo browse --graphics sext") == ["sextants"])
    }

    @Test func `built-in and user themes are completed`() async throws {
        try place.write("", to: "home/.config/alcedo/themes/heather.toml")
        #expect(try await completions(of: "alcedo browse --theme h") == ["high-contrast", "heather"])
    }

    @Test func `terms of filters and names of processors are completed, but nothing that a shell would act upon`()
        async throws
    {
        #expect(try await completions(of: "alcedo cache ls verdict:c") == ["verdict:corrupt"])
        #expect(try await completions(of: "alcedo check --where camer") == ["camera:"])
        #expect(try await completions(of: "alcedo show --process blu") == ["blur"])
        // `w>` would be a redirection.
        #expect(try await completions(of: "alcedo cache rm w") == [])
    }

    @Test func `hosts and keys of the cache are completed, but no address with a command`() async throws {
        let folder = CacheFolder(path: place.path("cache"))
        let disk = try DiskStorage(folder: folder)
        let hosts = ["images.example.org", "im$(touch${IFS}ran).org"]
        for host in hosts {
            let url = "https://\(host)/$(touch${IFS}ran).jpg"
            try await disk.store(
                Data(host.utf8), for: CacheEntryKey(source: url), facts: CacheEntryFacts(url: url, host: host))
        }
        let entry = try #require(
            await disk.entry(for: CacheEntryKey(source: "https://images.example.org/$(touch${IFS}ran).jpg")))
        #expect(try await completions(of: "alcedo cache ls host:im") == ["host:images.example.org"])
        #expect(try await completions(of: "alcedo cache show \(entry.name.prefix(6))") == [entry.name])
        #expect(try await completions(of: "alcedo cache show https") == [])
        #expect(!FileManager.default.fileExists(atPath: place.path("ran")))
    }

    @Test func `list arguments are completed as files`() async throws {
        try place.write("", to: "unlikely-name.txt")
        #expect(try await completions(of: "alcedo prefetch unlikely") == ["unlikely-name.txt"])
    }
}

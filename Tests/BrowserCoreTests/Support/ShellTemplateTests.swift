import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1))) struct ShellTemplateTests {
    @Test(arguments: [
        ("rm {}", #"rm "$@""#), ("rm", #"rm "$@""#), (#"rm "{}""#, #"rm "$@""#), ("mv '{}' x", #"mv "$@" x"#),
        ("cp {} x && rm {}", #"cp "$@" x && rm "$@""#), ("p-{}-q", #"p-"$@"-q"#), (#""p-"{}"-q""#, #""p-""$@""-q""#),
        (#""$(basename {})""#, #""$(basename "$@")""#), (#"(cd "x y"; rm {})"#, #"(cd "x y"; rm "$@")"#),
        (#"echo \"; rm {}"#, #"echo \"; rm "$@""#), (#"echo "a\"b" {}"#, #"echo "a\"b" "$@""#),
        (#"echo 'a\' {}"#, #"echo 'a\' "$@""#), ("echo `date`", #"echo `date` "$@""#),
        ("case x in x) rm {};; esac", #"case x in x) rm "$@";; esac"#),
    ])
    func `the files replace {} or are appended`(text: String, script: String) throws {
        #expect(try ShellTemplate(text).script == script)
    }

    @Test(arguments: [
        #""p-{}-q""#, "'p-{}'", "sh -c 'mv {} x'", #"sh -c "rm {}""#, "echo `basename {}`", #"echo "`basename {}`""#,
        #"echo "$(echo "x {}")""#, #""{} ""#, #"echo "\"{}""#,
    ])
    func `{} within quotes is refused with the correct form`(text: String) {
        #expect(throws: ShellTemplate.Problem.self) { try ShellTemplate(text) }
        guard case .problem(let reason)? = CommandText("run " + text, BrowseOptions()) else {
            return #expect(Bool(false), "\(text)")
        }
        #expect(reason.contains("{}"))
    }
}

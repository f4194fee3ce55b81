import AlcedoConfig
import AlcedoLists
import AlcedoPrefetch
import ArgumentParser
import FoundationEssentials
import ImageLoading

/// Converts errors into messages and exit codes; a run with failed items has the exit code of `PrefetchTally`.
enum ErrorReport {
    /// 0 success, 1 failure at run time, 2 usage error, 3 some failed, 4 all failed, 130 and 143 by signal.
    enum Code {
        static let failure: Int32 = 1
        static let usage: Int32 = 2
    }

    /// Prints an error and returns the exit code.
    static func report(_ error: any Error, to console: Console) -> Int32 {
        if let exit = error as? ExitCode { return exit.rawValue }
        if let problem = error as? UsageProblem { return usage(problem.text, to: console) }
        if let problem = error as? ConfigurationProblem { return configuration(problem, to: console) }
        if let text = text(of: error) {
            console.message("alcedo: \(text)")
            return Code.failure
        }
        return reportParsing(error, to: console)
    }

    private static func usage(_ text: String, to console: Console) -> Int32 {
        console.message("alcedo: \(text)")
        return Code.usage
    }

    private static func configuration(_ problem: ConfigurationProblem, to console: Console) -> Int32 {
        for line in problem.lines { console.message("alcedo: \(line)") }
        if !problem.isOfTheme {
            console.message("alcedo: alcedo config --default has every name; --no-config ignores the file")
        }
        return Code.usage
    }

    /// Prints help and version to standard output, and errors in the arguments to standard error.
    private static func reportParsing(_ error: any Error, to console: Console) -> Int32 {
        let isRequest = Alcedo.exitCode(for: error) == .success
        let text = Alcedo.fullMessage(for: error)
        let isShort = isRequest && !CommandLine.arguments.contains(ShortHelp.allFlag)
        for line in (isShort ? ShortHelp.shortened(text) : text).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if isRequest { console.output(String(line)) } else { console.message(String(line)) }
        }
        return isRequest ? 0 : Code.usage
    }

    private static func text(of error: any Error) -> String? {
        switch error {
        case let error as ImageError: error.title
        case let error as DiskCacheError: error.description
        case let error as CacheFolderProblem: error.description
        case let error as ListError: error.description
        case let error as ProgramProblem: error.description
        default: nil
        }
    }
}

/// Arguments that are valid alone but not together.
struct UsageProblem: Error {
    let text: String
}

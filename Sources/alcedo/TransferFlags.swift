import ArgumentParser
import BrowserApp

/// How much is fetched at a time, for every command that fetches many.
struct TransferFlags: ParsableArguments {
    @Option(name: .long, help: .of(.jobs)) var jobs: Int?
    @Option(name: .long, help: .of(.perHost)) var perHost: Int?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.jobs, to: jobs, of: "--jobs")
        try configuration.set(.perHost, to: perHost, of: "--per-host")
    }
}

/// How large a picture may be, for every command that reads some.
struct LimitFlags: ParsableArguments {
    @Option(name: .long, help: .of(.maximumBytes)) var maxSize: String?
    @Option(name: .long, help: .of(.megapixels)) var maxPixels: Int?
    @Option(name: .long, help: .of(.frames)) var maxFrames: Int?
    @Option(name: .long, help: .of(.memory)) var memory: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.maximumBytes, to: maxSize, of: "--max-size")
        try configuration.set(.megapixels, to: maxPixels, of: "--max-pixels")
        try configuration.set(.frames, to: maxFrames, of: "--max-frames")
        try configuration.set(.memory, to: memory, of: "--memory")
    }
}

/// How fast is fetched, for a command that nobody waits for.
struct PaceFlags: ParsableArguments {
    @Option(name: .long, help: .of(.requestRate)) var rate: String?
    @Option(name: .long, help: .of(.limitRate)) var limitRate: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.requestRate, to: rate, of: "--rate")
        try configuration.set(.limitRate, to: limitRate, of: "--limit-rate")
    }
}

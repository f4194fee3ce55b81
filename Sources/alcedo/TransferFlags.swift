import ArgumentParser
import BrowserApp

/// The concurrency options of commands that transfer many files.
struct TransferFlags: ParsableArguments {
    @Option(name: .long, help: .of(.jobs)) var jobs: Int?
    @Option(name: .long, help: .of(.perHost)) var perHost: Int?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.jobs, to: jobs, of: "--jobs")
        try configuration.set(.perHost, to: perHost, of: "--per-host")
    }
}

/// The size limits of commands that read pictures.
struct LimitFlags: ParsableArguments {
    @Option(name: .long, help: .of(.maximumBytes)) var maxSize: String?
    @Option(name: .long, help: .of(.megapixels)) var maxPixels: Int?
    @Option(name: .long, help: .of(.frames)) var maxFrames: Int?
    @Option(name: .long, help: .of(.sandbox), completion: .names(of: SandboxMode.self)) var sandbox: String?
    @Option(name: .long, help: .of(.memory)) var memory: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.maximumBytes, to: maxSize, of: "--max-size")
        try configuration.set(.megapixels, to: maxPixels, of: "--max-pixels")
        try configuration.set(.frames, to: maxFrames, of: "--max-frames")
        try configuration.set(.sandbox, to: sandbox, of: "--sandbox")
        try configuration.set(.memory, to: memory, of: "--memory")
    }
}

/// The rate limits of commands that run in the background.
struct PaceFlags: ParsableArguments {
    @Option(name: .long, help: .of(.requestRate)) var rate: String?
    @Option(name: .long, help: .of(.limitRate)) var limitRate: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.requestRate, to: rate, of: "--rate")
        try configuration.set(.limitRate, to: limitRate, of: "--limit-rate")
    }
}

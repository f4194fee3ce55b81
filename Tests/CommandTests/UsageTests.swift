import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct UsageTests {
    @Test(arguments: [
        ["prefetch", "list.txt", "--nope"], ["show", "x.png", "--nope"], ["cache", "ls", "--nope"],
        ["doctor", "--nope"], ["demo", "--nope"], ["browse", "x", "--nope"],
    ])
    func `an unknown option is reported on standard error with exit code 2`(arguments: [String]) async throws {
        let result = try await Workplace().start(arguments).end()

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("--nope"))
    }

    @Test(arguments: [
        (["--indicator", "ring", "demo"], "alcedo: demo is a command: alcedo demo --indicator ring"),
        (["--json", "doctor"], "alcedo: doctor is a command: alcedo doctor --json"),
        (
            ["--dry-run", "prefetch", "my list.txt"],
            "alcedo: prefetch is a command: alcedo prefetch --dry-run 'my list.txt'"
        ),
        (["browse", "cache"], "alcedo: cache is a command: alcedo cache"),
        (["--header", "X-Key: secret", "demo"], "alcedo: demo is a command: alcedo demo …"),
    ])
    func `an unknown command behind options is reported`(arguments: [String], message: String) async throws {
        let result = try await Workplace().start(arguments).end()

        #expect(result.code == 2)
        #expect(result.errors.hasSuffix(message + "\n"))
    }

    @Test(arguments: [
        ["prefetch"], ["show"], ["cache", "rm"], ["browse"], [],
    ])
    func `a missing argument is reported with exit code 2`(arguments: [String]) async throws {
        let result = try await Workplace().start(arguments).end()

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("Usage:") || result.errors.contains("try:"))
    }

    @Test(arguments: [
        (["prefetch", "l", "--jobs", "0"], "--jobs"), (["prefetch", "l", "--jobs", "many"], "--jobs"),
        (["prefetch", "l", "--jobs", "99999999999999999999"], "--jobs"),
        (["prefetch", "l", "--per-host", "0"], "--per-host"), (["prefetch", "l", "--retries", "101"], "--retries"),
        (["prefetch", "l", "--max-size", "0"], "--max-size"),
        (["prefetch", "l", "--max-size", "9999999999G"], "--max-size"),
        (["prefetch", "l", "--progress", "loud"], "--progress"), (["show", "x", "--size", "10"], "--size"),
        (["show", "x", "--size", "0x9"], "--size"), (["show", "x", "--size", "100001x9"], "--size"),
        (["show", "x", "--cells", "ax9"], "--cells"), (["show", "x", "--format", "bmp"], "--format"),
        (["show", "x", "--quality", "odd"], "--quality"), (["show", "x", "--encoder", "odd"], "--encoder"),
        (["show", "x", "--process", "swirl(3)"], "--process"), (["browse", "x", "--graphics", "odd"], "--graphics"),
        (["cache", "ls", "--sort", "odd"], "--sort"), (["cache", "ls", "--top", "odd"], "--top"),
        (["cache", "ls", "size>odd"], "size>odd"), (["cache", "rm", "state:odd"], "state:odd"),
        (["demo", "--rate", "odd"], "--rate"),
    ])
    func `a bad value is reported on standard error with exit code 2`(arguments: [String], name: String) async throws {
        let result = try await Workplace().start(arguments).end()

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name))
    }
}

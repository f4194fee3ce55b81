import FaultServer
import Foundation
import TestSupport
import Testing

/// Processes that are killed within a system call, and system calls that fail.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CacheFaultTests {
    private static let names = [
        "fjord.webp", "kelp.jpg", "volcano.jpg", "harbour.gif", "glacier.jpg", "eclipse.png", "coral.jpg", "canyon.jpg",
    ]

    /// Prefetches with a fault injected, looks what is left, and prefetches again without.
    ///
    /// Where strace cannot be had the process is killed or refused large files instead.
    private func prefetch(
        injecting fault: String, otherwise: String
    ) async throws -> (place: Workplace, faulty: ProgramResult, check: ProgramResult, again: ProgramResult) {
        let place = try Workplace()
        let server = try await FaultServer.start(
            Dictionary(uniqueKeysWithValues: try Self.names.map { ("/\($0)", .picture(try Pictures.bytes($0))) }))
        let list = try place.write(Self.names.map { server.url("/\($0)") }.joined(separator: "\n"), to: "list.txt")
        let trace = "strace -f -qq -o /dev/null -e trace=\(fault.prefix { $0 != ":" }) -e inject=\(fault)"
        let script = "if strace -qq -o /dev/null true; then exec \(trace) \"$0\" \"$@\"; else \(otherwise); fi"
        let faulty = try await place.start(["prefetch", list, "--quiet", "--jobs", "4"], shell: script).end()
        let check = try await place.run("cache", "verify", "--full")
        let again = try await place.run("prefetch", list, "--quiet")
        await server.stop()
        return (place, faulty, check, again)
    }

    @Test(arguments: ["pwrite64", "write", "rename", "unlink", "openat"], [2, 7, 31])
    func `a process killed in a system call leaves a sound and usable cache`(call: String, count: Int) async throws {
        let run = try await prefetch(
            injecting: "\(call):signal=KILL:when=\(count)", otherwise: "\"$0\" \"$@\" & kill -9 $!")

        #expect(run.check.code == 0, "\(run.check.everything)")
        #expect(run.again.code == 0, "\(run.again.everything)")
        let listing = try await run.place.run("cache", "ls", "--json")
        #expect(try listing.objects().count == Self.names.count)
        for entry in try listing.objects() {
            let name = try #require(entry["url"]?.split(separator: "/").last)
            #expect(try entry.number("bytes") == Pictures.bytes(String(name)).count)
        }
    }

    // `write` is not among them: it also wakes threads, and there is no disk whose fault would keep it from that. Files
    // that cannot be written are below, and full file systems in CacheFolderTests.
    @Test(arguments: ["pwrite64:error=EIO", "pwrite64:error=ENOSPC", "rename:error=EIO"])
    func `a failing system call does not damage the cache`(fault: String) async throws {
        let run = try await prefetch(injecting: "\(fault):when=12+3", otherwise: "ulimit -f 8; exec \"$0\" \"$@\"")

        #expect(run.faulty.code >= 0, "it was killed: \(run.faulty.everything)")
        #expect(run.check.code == 0, "\(run.check.everything)")
        #expect(run.again.code == 0, "\(run.again.everything)")
    }

    @Test(arguments: ["ulimit -f 16", "ulimit -n 28"])
    func `limits of the process do not damage the cache`(limit: String) async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(
            Dictionary(uniqueKeysWithValues: try Self.names.map { ("/\($0)", .picture(try Pictures.bytes($0))) }))
        let list = try place.write(Self.names.map { server.url("/\($0)") }.joined(separator: "\n"), to: "list.txt")

        let limited = try await place.start(["prefetch", list, "--quiet"], shell: "\(limit); exec \"$0\" \"$@\"").end()
        let check = try await place.run("cache", "verify", "--full")
        let again = try await place.run("prefetch", list, "--quiet")
        await server.stop()

        #expect(limited.code >= 0, "it was killed: \(limited.everything)")
        #expect(check.code == 0, "\(check.everything)")
        #expect(again.code == 0, "\(again.everything)")
    }
}

import AlcedoCSandbox
import CHostileDecoder
import Foundation
import Glibc
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs
@testable import AlcedoSandbox

/// A decoder under an attacker's control runs in a helper process and tries to leave it.
@Suite(.timeLimit(.minutes(1)))
struct HostileDecoderTests {
    private let settings = SandboxedDecoder(isRequired: true).settings(.standard)

    /// Returns the error number that stopped an attempt, or 0 if it succeeded.
    private func result(of attempt: Int) throws -> Int32 {
        let reply = try HelperProcess(settings).perform(request(attempt)).reply
        guard case .failure(.processor(.decodingFailed("attempt", let number))) = reply else { return -1 }
        return try #require(Int32(number))
    }

    private func request(_ attempt: Int) -> HelperRequest {
        var request = HelperRequest(.attempt(attempt), limits: .standard)
        request.processorSeconds = 1
        return request
    }

    private func failure(of attempt: Int) -> HelperProcess.Failure? {
        #expect(throws: HelperProcess.Failure.self) { try HelperProcess(settings).perform(request(attempt)).reply }
    }

    @Test(arguments: [
        (hostile_read_file, EACCES), (hostile_list_home, EACCES), (hostile_write_file, EPERM),
        (hostile_append_file, EPERM), (hostile_remove_file, EPERM), (hostile_connect, EPERM),
        (hostile_connect_unix, EPERM), (hostile_execute, EPERM), (hostile_fork, EPERM), (hostile_trace_parent, EPERM),
        (hostile_kill_parent, EPERM), (hostile_raise_memory_limit, EPERM), (hostile_open_descriptors, EBADF),
        (hostile_load_program_memory, EPERM), (hostile_allocate, ENOMEM), (hostile_find_environment, ENOENT),
        (hostile_create_memory, EPERM), (hostile_become_root, EPERM),
    ])
    func `an attempt to use a forbidden system call fails`(attempt: Int, expected: Int32) throws {
        #expect(try result(of: attempt) == expected)
    }

    // Not every kernel and container lets a helper have a user of its own.
    @Test(.enabled(if: SandboxedDecoder().protections()?.contains(.ownUser) == true))
    func `the number of threads is limited by the helper's own user`() throws {
        #expect(try result(of: hostile_threads) == EAGAIN)
    }

    @Test func `an oversized reply ends the helper`() throws {
        var settings = settings
        settings.reply = 1 << 20
        let failure = #expect(throws: HelperProcess.Failure.self) {
            try HelperProcess(settings).perform(request(hostile_endless_reply)).reply
        }
        #expect(failure == .ended("it crashed with signal \(SIGXFSZ)"))
    }

    @Test func `a helper that replies twice is not used again`() throws {
        let helper = try HelperProcess(settings)
        _ = try? helper.perform(request(hostile_two_replies)).reply
        // The second reply may be on its way still.
        var failure: HelperProcess.Failure?
        while failure == nil {
            do throws(HelperProcess.Failure) {
                _ = try helper.perform(HelperRequest(.status, limits: .standard)).reply
            } catch {
                failure = error
            }
        }
        #expect(failure == .lost || failure == .malformed)
    }

    @Test func `a silent helper is a local fault after the timeout`() throws {
        var settings = settings
        settings.timeout = 50
        let failure = #expect(throws: HelperProcess.Failure.self) {
            try HelperProcess(settings).perform(request(hostile_sleep)).reply
        }
        guard case .unavailable? = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
    }

    @Test func `a looping decoder is ended after its processor time`() {
        #expect(failure(of: hostile_loop) == .exhausted(.processorTime(seconds: 1)))
    }

    @Test func `a crashed decoder is reported with its signal`() {
        #expect(failure(of: hostile_crash) == .ended("it crashed with signal \(SIGSEGV)"))
    }

    @Test func `a decoder that exits is reported with its exit code`() {
        #expect(failure(of: hostile_exit) == .ended("it exited with code 7"))
    }

    @Test(arguments: [
        hostile_wrong_size, hostile_mapped_memory, hostile_one_descriptor, hostile_huge_size, hostile_garbage,
        hostile_two_descriptors,
        hostile_many_descriptors, hostile_no_descriptor, hostile_long_message,
    ])
    func `a reply with invalid numbers is refused`(attempt: Int) throws {
        // The reply of a decoded picture is expected, so the request is one.
        let helper = try HelperProcess(settings)
        #expect(throws: HelperProcess.Failure.malformed) { try helper.perform(request(attempt)).reply }
    }

    @Test func `control characters in a reply are replaced`() throws {
        let reply = try HelperProcess(settings).perform(request(hostile_escape_codes)).reply
        let expected = "\u{FFFD}]0;owned\u{FFFD}\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}31m\u{FFFD}"
        #expect(reply == .failure(.processor(.decodingFailed(format: "JPEG", expected))))
    }

    @Test func `a helper ends when its socket is closed`() throws {
        var request = sandbox_spawn_request()
        request.memory = UInt64(settings.memory)
        let (socket, second) = (sandbox_spawn(request), sandbox_spawn(request))
        defer { close(second) }
        let asleep = self.request(hostile_sleep).bytes
        #expect(sandbox_send(socket, asleep, asleep.count, -1) == 0)
        close(socket)
        // The zygote still serves the second helper.
        let status = HelperRequest(.status, limits: .standard).bytes
        #expect(sandbox_send(second, status, status.count, -1) == 0)
        var (buffer, descriptor) = ([UInt8](repeating: 0, count: 100), Int32(-1))
        #expect(sandbox_receive(second, &buffer, buffer.count, &descriptor, 1, 10_000) == 16)
    }

    @Test func `unrequested descriptors are closed`() throws {
        let before = try Self.openDescriptors()
        for attempt in [hostile_one_descriptor, hostile_two_descriptors, hostile_many_descriptors] {
            for _ in 0..<10 { _ = failure(of: attempt) }
        }
        // Other tests open a few meanwhile.
        #expect(try Self.openDescriptors() < before + 100)
    }

    private static func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    @Test func `a helper that ends before reading its request is reported with its cause`() throws {
        // Given helpers without enough memory to begin
        for _ in 0..<10 {
            let helper = try HelperProcess(HelperProcess.Settings(memory: 1 << 20, reply: 1 << 20, isRequired: false))
            let failure = #expect(throws: HelperProcess.Failure.self) {
                try helper.perform(HelperRequest(.header, limits: .standard), on: Data(count: 9)).reply
            }
            // Then the file is not asked about again without a word: the zygote's report arrives
            #expect(failure != .lost && failure != .malformed)
        }
    }

    @Test func `a helper killed by the system is not a fault of the file`() {
        let failure = HelperProcess.Failure.unavailable("the system killed it, perhaps for lack of memory")
        #expect(
            failure.error(of: "PNG")
                == .processor(
                    .environment("no sandboxed decoder process: the system killed it, perhaps for lack of memory")))
    }

    @Test func `a file that ended three helpers is not decoded again`() {
        let pool = HelperPool()
        let file = Data("a file that crashes its decoder".utf8)
        let failures = (0..<4).map { _ in
            #expect(throws: HelperProcess.Failure.self) {
                try pool.perform(request(hostile_exit), on: file, settings).reply
            }
        }
        // The first call tries it twice.
        let refusal = HelperProcess.Failure.ended("it ended 3 decoder processes and is not tried again")
        #expect(failures == [.ended("it exited with code 7"), refusal, refusal, refusal])
    }

    @Test(arguments: [-1, 0, Int.min, Int(Int32.max) + 1])
    func `an impossible size is refused`(side: Int) throws {
        let size = PixelSize(width: 3, height: 2)
        let request = HelperRequest(.header, limits: .standard)
        var bytes = HelperReply.header(ImageHeader(format: .png, size: size, frameCount: 1)).bytes
        #expect(try HelperReply(bytes: bytes, to: request).byteCount == nil)
        // The kind of reply and the format come before the width.
        bytes.replaceSubrange(16..<24, with: withUnsafeBytes(of: Int64(side).littleEndian, Array.init))
        #expect(throws: MessageReader.Malformed.self) { try HelperReply(bytes: bytes, to: request) }
    }
}

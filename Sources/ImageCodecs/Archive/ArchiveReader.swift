import CArchive
import Foundation
import Glibc
import Synchronization

/// Reads the files of archives: zip, tar, 7z and rar.
///
/// libarchive runs in a helper process like the decoders of pictures; without helpers, and with the sandbox turned off,
/// it runs in this process. Nothing is written to disk. Files are unpacked in the order of the archive, some at a time,
/// as the next one is likely to be asked for next.
package final class ArchiveReader: Sendable {
    package static let shared = ArchiveReader()
    /// Whether libarchive can be loaded.
    package static var isInstalled: Bool { alcedo_archive_available() != 0 }

    /// A file by its place and its state: a changed archive is another one.
    private struct Identity: Hashable {
        var path: String
        var size: Int
        var seconds, nanoseconds: Int
    }

    private struct Batch {
        var archive: Identity
        var bytes: Data
        var members: [Int: UnpackedMember]
        /// The largest number of bytes of one file.
        var limit: Int
    }

    private struct State {
        /// The indices of the files by name, for the archives that were used last.
        var indices: [(archive: Identity, byName: [[UInt8]: Int])] = []
        /// The files unpacked last.
        var batches: [Batch] = []
        /// The file that was asked for last.
        var last: (archive: Identity, index: Int)?
    }

    private static let archiveLimit = 4
    /// The bytes of the unpacked files that are kept.
    private static let keptBytes = 100 << 20
    /// The bytes that are unpacked at a time.
    private static let batchBytes = 32 << 20
    /// The largest step between two files that counts as going through the archive in its order.
    private static let nearby = 64
    /// The limit of processor time for one pass over an archive, in seconds.
    fileprivate static let processorSeconds = 55

    private static let isRequired = Atomic(false)
    static var requiresAllProtections: Bool { isRequired.load(ordering: .relaxed) }

    /// Makes every later read fail if the kernel lacks one of the sandbox's protections.
    package static func requireAllProtections() { isRequired.store(true, ordering: .relaxed) }

    private let state = Mutex(State())
    /// A pass blocks its thread, so it does not run on those of Swift's tasks; one pass runs at a time.
    private let queue = DispatchQueue(label: "alcedo.archives", qos: .userInitiated)

    /// Returns the files of an archive in its order, and why it cannot be read to its end.
    ///
    /// If a name occurs twice, the later file replaces the earlier one.
    package func members(
        of path: String
    ) async throws(CodecError) -> (members: [ArchiveMember], problem: String?) {
        try await onQueue { () throws(CodecError) in
            let file = try ArchiveFile(path)
            return try self.list(file)
        }
    }

    /// Returns the bytes of a file in an archive.
    ///
    /// - Parameter limit: The largest number of bytes.
    package func data(of name: String, in path: String, limit: Int) async throws(CodecError) -> Data {
        guard !Task.isCancelled else { throw .cancelled }
        return try await onQueue { () throws(CodecError) in
            let file = try ArchiveFile(path)
            guard let index = try self.index(of: name, file) else {
                throw .processor(.processingFailed(identifier: "archive", "it has no file \(name)"))
            }
            let batch = try self.batch(with: index, file, limit: limit)
            switch batch.members[index] {
            case .bytes(let range): return Data(batch.bytes[range])
            case .tooLarge:
                throw .processor(.limitExceeded("more than \(limit >> 20) MiB in the archive; raise --max-size"))
            case .failed(let reason): throw .damaged("archive", reason)
            case nil: throw .damaged("archive", "the archive has changed")
            }
        }
    }

    private func onQueue<Value: Sendable>(
        _ work: @escaping @Sendable () throws(CodecError) -> Value
    ) async throws(CodecError) -> Value {
        let result: Result<Value, CodecError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    private func index(of name: String, _ file: borrowing ArchiveFile) throws(CodecError) -> Int? {
        let identity = identity(file)
        if let known = state.withLock({ $0.indices.first { $0.archive == identity } }) {
            return known.byName[Array(name.utf8)]
        }
        return try list(file).members.last { $0.problem == nil && $0.name.utf8.elementsEqual(name.utf8) }?.index
    }

    private func list(
        _ file: borrowing ArchiveFile
    ) throws(CodecError) -> (members: [ArchiveMember], problem: String?) {
        let bytes = try file.perform(.listArchive, limits: .standard)
        guard let (all, problem) = try? ArchiveReply.members(Array(bytes)) else { throw ArchiveFile.malformed }
        // A file that cannot be read does not hide an earlier one. Names are compared by their bytes.
        let readable = all.filter { $0.problem == nil && !$0.name.isEmpty }
        let byName = Dictionary(readable.map { (Array($0.name.utf8), $0.index) }, uniquingKeysWith: { max($0, $1) })
        let identity = identity(file)
        state.withLock { state in
            state.indices.removeAll { $0.archive == identity }
            state.indices.append((identity, byName))
            if state.indices.count > Self.archiveLimit { state.indices.removeFirst() }
        }
        return (all.filter { $0.problem != nil || byName[Array($0.name.utf8)] == $0.index }, problem)
    }

    private func batch(with index: Int, _ file: borrowing ArchiveFile, limit: Int) throws(CodecError) -> Batch {
        let identity = identity(file)
        let (known, isNear) = state.withLock { state in
            defer { state.last = (identity, index) }
            let known = state.batches.first {
                $0.archive == identity && $0.limit == limit && $0.members[index] != nil
            }
            let isNear = state.last.map { $0.archive != identity || (0...Self.nearby).contains(index - $0.index) }
            return (known, isNear ?? true)
        }
        if let known { return known }
        let bytes = try file.perform(
            .unpackArchive(from: index, total: isNear ? Self.batchBytes : 0), limits: DecodeLimits(bytes: limit))
        guard let members = try? ArchiveReply.unpacked(bytes) else { throw ArchiveFile.malformed }
        let batch = Batch(archive: identity, bytes: bytes, members: members, limit: limit)
        state.withLock { state in
            state.batches.append(batch)
            while state.batches.count > 1, state.batches.reduce(0, { $0 + $1.bytes.count }) > Self.keptBytes {
                state.batches.removeFirst()
            }
        }
        return batch
    }

    private func identity(_ file: borrowing ArchiveFile) -> Identity {
        Identity(
            path: file.path, size: Int(file.facts.st_size), seconds: file.facts.st_mtim.tv_sec,
            nanoseconds: file.facts.st_mtim.tv_nsec)
    }
}

/// An open archive file.
private struct ArchiveFile: ~Copyable {
    let path: String
    let descriptor: Int32
    private(set) var facts = stat()

    init(_ path: String) throws(CodecError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .processor(.processingFailed(identifier: "archive", String(cString: strerror(errno))))
        }
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .processor(.processingFailed(identifier: "archive", "it is not a regular file"))
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    static let malformed = HelperProcess.Failure.malformed.error(of: "archive", helper: "reader")

    /// Makes a pass over the archive, in a helper process if there is one.
    borrowing func perform(_ operation: HelperRequest.Operation, limits: DecodeLimits) throws(CodecError) -> Data {
        lseek(descriptor, 0, SEEK_SET)
        var request = HelperRequest(operation, limits: limits)
        request.processorSeconds = ArchiveReader.processorSeconds
        guard SandboxedDecoder.isAvailable, InProcessDecoding.rule != .allowed else {
            guard InProcessDecoding.rule != .forbidden else {
                throw .processor(.environment("no sandboxed process can be started"))
            }
            return Data(try HelperSession.readArchive(operation, descriptor, limits: limits))
        }
        let result: HelperProcess.Result
        do throws(HelperProcess.Failure) {
            let decoder = SandboxedDecoder(isRequired: ArchiveReader.requiresAllProtections)
            var settings = decoder.settings(DecodeLimits(pixels: limits.bytes))
            settings.reply = request.largestReply
            let helper = try HelperProcess(settings)
            result = try helper.perform(request, descriptor: descriptor)
        } catch {
            throw error.error(of: "archive", helper: "reader")
        }
        let answer = try result.get()
        guard case .bytes = answer.reply, let bytes = answer.memory.mapped() else { throw Self.malformed }
        return bytes
    }
}

/// A file in an archive.
package struct ArchiveMember: Sendable, Hashable {
    /// Its place in the archive, from 0.
    package var index: Int
    /// Its path in the archive, with `/` between folders; no component is empty, `.` or `..`.
    package var name: String
    /// Why it cannot be read; nil if nothing is known against it.
    package var problem: String?

    /// The largest number of files that an archive may have.
    static let countLimit = 1_000_000

    init(index: Int, storedName: String, problem: String?) {
        let components = storedName.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }.filter {
            $0 != "."
        }
        let leadsOut = components.contains("..")
        self.index = index
        name = components.filter { $0 != ".." }.joined(separator: "/")
        self.problem = leadsOut ? "its name leads out of the archive" : problem
    }
}

/// The result of unpacking a file of an archive.
enum UnpackedMember: Equatable {
    case bytes(Range<Int>)
    /// The file has more bytes than the limit.
    case tooLarge
    /// The text gives the reason.
    case failed(String)
}

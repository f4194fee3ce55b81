import AlcedoCArchive
import AlcedoImageCodecs
import AlcedoSupport
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Reads the files of archives: zip, tar, 7z and rar.
///
/// libarchive runs in a helper process like the decoders of pictures; without helpers, and with the sandbox turned off,
/// it runs in this process. Nothing is written to disk. Several files are unpacked at a time, in the order of the
/// archive, because the next file is likely to be requested next.
package final class ArchiveReader: Sendable {
    package static let shared = ArchiveReader()
    /// Whether libarchive can be loaded.
    package static var isInstalled: Bool { alcedo_archive_available() != 0 }

    private static let isRequired = Atomic(false)
    static var requiresAllProtections: Bool { isRequired.load(ordering: .relaxed) }

    /// Makes every later read fail if the kernel lacks one of the sandbox's protections.
    package static func requireAllProtections() { isRequired.store(true, ordering: .relaxed) }

    /// The kept results; used only on the queue, so that no thread waits for the lock.
    private let state = Mutex(OpenArchives())
    /// Serial, so that one pass runs at a time.
    ///
    /// Passes block their thread, so they must not run on the threads of Swift's tasks.
    private let queue = DispatchQueue(label: "alcedo.archives", qos: .userInitiated)

    /// Returns the files of an archive in its order, and why it cannot be read to its end.
    ///
    /// If a name occurs twice, the later file replaces the earlier one.
    package func members(
        of path: String
    ) async throws(CodecError) -> (members: [ArchiveMember], problem: String?) {
        try await onQueue { (archives) throws(CodecError) in
            let listing = try archives.list(try ArchiveFile(path))
            return (listing.members, listing.problem)
        }
    }

    /// Returns the bytes of a file in an archive.
    ///
    /// - Parameter limit: The largest number of bytes.
    package func data(of name: String, in path: String, limit: Int) async throws(CodecError) -> Data {
        guard !Task.isCancelled else { throw .cancelled }
        return try await onQueue { (archives) throws(CodecError) in
            try archives.data(of: name, in: try ArchiveFile(path), limit: limit)
        }
    }

    private func onQueue<Value: Sendable>(
        _ work: @escaping @Sendable (inout OpenArchives) throws(CodecError) -> Value
    ) async throws(CodecError) -> Value {
        let result: Result<Value, CodecError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: self.state.withLock { archives in
                        Result { () throws(CodecError) in try work(&archives) }
                    })
            }
        }
        return try result.get()
    }
}

/// The archives that were used last: their names, the files unpacked last, and the passes that can continue.
private struct OpenArchives {
    private struct Batch {
        var archive: ArchiveFile.Identity
        var bytes: Data
        var members: [Int: UnpackedMember]
        /// The largest number of bytes of one file.
        var limit: Int
    }

    private static let archiveLimit = 4
    /// The bytes of the unpacked files that are kept.
    private static let keptBytes = 100 << 20
    /// The bytes that are unpacked at a time.
    private static let batchBytes = 32 << 20
    /// The largest distance between two requested files that still counts as reading in order.
    private static let nearby = 64
    /// When a list moves on to the next archive, requests alternate between two archives for a while.
    private static let passLimit = 2

    /// The indices of the files by name.
    private var indices: [(archive: ArchiveFile.Identity, byName: [MemberName: Int])] = []
    private var batches: [Batch] = []
    private var passes: [ArchivePass] = []
    /// The file that was requested last.
    private var last: (archive: ArchiveFile.Identity, index: Int)?

    mutating func list(_ file: borrowing ArchiveFile) throws(CodecError) -> ArchiveReply.Listing {
        var all = ArchiveReply.Listing()
        let pass = try ArchivePass(file, largestReply: HelperRequest(.listArchive, limits: .standard).largestReply)
        repeat {
            let bytes = try pass.perform(.listArchive, file, limits: .standard)
            guard let part = try? ArchiveReply.members(Array(bytes)), !part.isPart || !part.members.isEmpty,
                all.members.count + part.members.count <= ArchiveMember.countLimit
            else { throw ArchivePass.malformed }
            (all.isPart, all.problem) = (part.isPart, part.problem)
            all.members += part.members
        } while all.isPart
        // A file that cannot be read does not replace an earlier one of the same name.
        var byName: [MemberName: Int] = [:]
        for member in all.members where member.problem == nil && !member.name.isEmpty {
            byName[MemberName(text: member.name)] = member.index
        }
        indices.removeAll { $0.archive == file.identity }
        indices.append((file.identity, byName))
        if indices.count > Self.archiveLimit { indices.removeFirst() }
        all.members.removeAll { $0.problem == nil && byName[MemberName(text: $0.name)] != $0.index }
        return all
    }

    mutating func data(of name: String, in file: borrowing ArchiveFile, limit: Int) throws(CodecError) -> Data {
        guard let index = try index(of: name, file) else {
            throw .processor(.processingFailed(identifier: "archive", "it has no file \(name)"))
        }
        let batch = try batch(with: index, file, limit: limit)
        switch batch.members[index] {
        case .bytes(let range): return Data(batch.bytes[range])
        case .tooLarge:
            throw .processor(.limitExceeded("more than \(limit >> 20) MiB in the archive; raise --max-size"))
        case .failed(let reason): throw .damaged("archive", reason)
        case nil: throw .damaged("archive", "the archive has changed")
        }
    }

    private mutating func index(of name: String, _ file: borrowing ArchiveFile) throws(CodecError) -> Int? {
        let identity = file.identity
        if !indices.contains(where: { $0.archive == identity }) { _ = try list(file) }
        return indices.first { $0.archive == identity }?.byName[MemberName(text: name)]
    }

    private mutating func batch(
        with index: Int, _ file: borrowing ArchiveFile, limit: Int
    ) throws(CodecError) -> Batch {
        let identity = file.identity
        let isNear = last.map { $0.archive != identity || (0...Self.nearby).contains(index - $0.index) } ?? true
        last = (identity, index)
        let known = batches.first { $0.archive == identity && $0.limit == limit && $0.members[index] != nil }
        if let known { return known }
        let limits = DecodeLimits(bytes: limit)
        let largest = HelperRequest(.unpackArchive(from: 0, total: Self.batchBytes), limits: limits).largestReply
        let pass = try pass(upTo: index, file, largestReply: largest)
        let bytes = try pass.perform(
            .unpackArchive(from: index, total: isNear ? Self.batchBytes : 0), file, limits: limits)
        guard let members = try? ArchiveReply.unpacked(bytes) else { throw ArchivePass.malformed }
        pass.next = max(index, members.keys.max() ?? 0) + 1
        passes.append(pass)
        if passes.count > Self.passLimit { passes.removeFirst() }
        let batch = Batch(archive: identity, bytes: bytes, members: members, limit: limit)
        batches.append(batch)
        while batches.count > 1, batches.reduce(0, { $0 + $1.bytes.count }) > Self.keptBytes { batches.removeFirst() }
        return batch
    }

    /// Takes a kept pass that has not reached the file yet, or starts a new one.
    private mutating func pass(
        upTo index: Int, _ file: borrowing ArchiveFile, largestReply: Int
    ) throws(CodecError) -> ArchivePass {
        let identity = file.identity
        let known = passes.firstIndex {
            $0.archive == identity && $0.next <= index && $0.largestReply >= largestReply
        }
        if let known { return passes.remove(at: known) }
        return try ArchivePass(file, largestReply: largestReply)
    }
}

/// A name in an archive, compared byte by byte: Swift's strings treat different encodings of a letter as equal.
private struct MemberName: Hashable {
    var text: String

    static func == (first: MemberName, second: MemberName) -> Bool { first.text.utf8.elementsEqual(second.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// An open archive file.
private struct ArchiveFile: ~Copyable {
    /// The path and the state of a file; a changed archive is a different one.
    struct Identity: Hashable {
        var path: String
        var size: Int
        var seconds, nanoseconds: Int
    }

    let identity: Identity
    let descriptor: Int32

    init(_ path: String) throws(CodecError) {
        descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            identity = Identity(path: path, size: 0, seconds: 0, nanoseconds: 0)
            throw .processor(.processingFailed(identifier: "archive", String(cString: strerror(errno))))
        }
        var facts = stat()
        let isKnown = fstat(descriptor, &facts) == 0
        identity = Identity(
            path: path, size: Int(facts.st_size), seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec)
        guard isKnown, facts.st_mode & S_IFMT == S_IFREG else {
            throw .processor(.processingFailed(identifier: "archive", "it is not a regular file"))
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

/// A pass over an archive from its start, in steps; in a helper process if there is one.
private final class ArchivePass {
    let archive: ArchiveFile.Identity
    let largestReply: Int
    /// The index of the first file that it has not passed.
    var next = 0
    private let helper: HelperProcess?
    private var session = HelperSession(protections: [])
    private var isStarted = false
    private let processorSeconds: Int

    static let malformed = HelperProcess.Failure.malformed.error(of: "archive", helper: "reader")

    init(_ file: borrowing ArchiveFile, largestReply: Int) throws(CodecError) {
        (archive, self.largestReply) = (file.identity, largestReply)
        // Five times what bzip2, the slowest compression, takes for a large archive of pictures.
        processorSeconds = min(3600, 55 + file.identity.size >> 22)
        guard SandboxedDecoder.isAvailable, InProcessDecoding.rule != .allowed else {
            guard InProcessDecoding.rule != .forbidden else {
                throw .processor(.environment("no sandboxed process can be started"))
            }
            helper = nil
            return
        }
        let decoder = SandboxedDecoder(isRequired: ArchiveReader.requiresAllProtections)
        var settings = decoder.settings(DecodeLimits(pixels: largestReply))
        settings.reply = largestReply
        settings.timeout = Int32((processorSeconds * 2 + 5) * 1000)
        do throws(HelperProcess.Failure) {
            helper = try HelperProcess(settings)
        } catch {
            throw error.error(of: "archive", helper: "reader")
        }
    }

    /// Makes the next step.
    ///
    /// - Parameter file: The archive, for the first step.
    func perform(
        _ operation: HelperRequest.Operation, _ file: borrowing ArchiveFile, limits: DecodeLimits
    ) throws(CodecError) -> Data {
        var request = HelperRequest(operation, limits: limits)
        request.processorSeconds = processorSeconds
        let descriptor = isStarted ? -1 : file.descriptor
        isStarted = true
        guard let helper else {
            let answer = session.answer(request, file: Data(), descriptor: descriptor)
            if case .failure(let error) = answer.reply { throw error }
            return Data(answer.memory.first ?? [])
        }
        let result: HelperProcess.Result
        do throws(HelperProcess.Failure) {
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
    /// The reason why it cannot be read; nil if none is known.
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

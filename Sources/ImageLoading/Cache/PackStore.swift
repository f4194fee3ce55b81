import CFileHoles
import Foundation
import Glibc

/// Where a small content lies in a pack.
struct PackSlot: Hashable, Sendable {
    let pack: Int64
    let offset: Int
    let length: Int
}

/// Files that hold many small contents behind each other: making a file for each would take ten times as long.
///
/// Packs are written within the transaction that names their contents, so that one process writes at a time and what a
/// killed one left is written over. A place is never used twice: who reads one that was given back finds zeros, which
/// no digest fits. Contents begin at blocks of 4 KiB, which are given back to the file system one content at a time.
struct PackStore: Sendable {
    typealias Problem = BlobStore.Problem

    let folder: String
    /// A pack takes no more contents from here on.
    static let limit = 64 << 20
    static let block = 4096

    /// The bytes of the file system that a content takes.
    static func space(_ length: Int) -> Int { (max(1, length) + block - 1) / block * block }

    /// The same in SQL, of a column.
    static func space(of column: String) -> String { "(\(column) + \(block - 1)) / \(block) * \(block)" }

    func path(of pack: Int64) -> String { "\(folder)/\(String(UInt64(bitPattern: pack), radix: 16))" }

    /// Makes an empty pack; throws `.system` with `EOPNOTSUPP` where places cannot be given back.
    func make(_ pack: Int64) throws(Problem) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .system(operation: "make folder", code: errno) }
        let descriptor = open(path(of: pack), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(operation: "create", code: errno) }
        defer { close(descriptor) }
        guard alcedo_punch_hole(descriptor, 0, Self.block) == 0 else {
            let code = errno
            unlink(path(of: pack))
            throw .system(operation: "punch", code: code)
        }
    }

    /// Writes a content to the place that is its own from then on.
    ///
    /// Throws `.missing` where the pack is gone or shorter than it was.
    func write(_ data: Data, to slot: PackSlot) throws(Problem) {
        let (descriptor, size) = try openPack(slot.pack, O_WRONLY)
        defer { close(descriptor) }
        // The end may lie in the last block of the content before.
        guard size > slot.offset - Self.block else { throw .missing }
        try writeAll(data, to: descriptor, at: slot.offset)
    }

    /// Reads a content; always checks its digest, because a place may be given back at any time.
    func read(_ slot: PackSlot, name: ContentName) throws(Problem) -> Data {
        let (descriptor, size) = try openPack(slot.pack, O_RDONLY)
        defer { close(descriptor) }
        guard slot.offset >= 0, slot.length >= 0, slot.offset <= size, slot.length <= size - slot.offset else {
            throw .damaged("the pack ends before the content does")
        }
        let data = try read(descriptor, slot)
        guard ContentDigest(of: data) == name.digest else { throw .damaged("the digest differs") }
        return data
    }

    /// Whether the pack reaches to the content's end.
    func holds(_ slot: PackSlot) -> Bool {
        var status = stat()
        return lstat(path(of: slot.pack), &status) == 0 && status.isReadableFile
            && slot.offset >= 0 && status.st_size >= slot.length && status.st_size - slot.length >= slot.offset
    }

    /// Gives the places of some contents back to the file system, those of neighbours at once: what goes for room has
    /// often come together.
    func release(_ slots: [PackSlot]) {
        for (pack, slots) in Dictionary(grouping: slots, by: \.pack) {
            guard let (descriptor, size) = try? openPack(pack, O_WRONLY) else { continue }
            defer { close(descriptor) }
            // A damaged row may name any place; ours begin with a block.
            let inside = slots.filter {
                (0...size).contains($0.offset) && (0...size).contains($0.length) && $0.offset.isMultiple(of: Self.block)
            }
            for place in Self.places(of: inside) {
                _ = alcedo_punch_hole(descriptor, place.lowerBound, place.count)
            }
        }
    }

    /// What contents of one pack take in it, neighbours joined.
    static func places(of slots: [PackSlot]) -> [Range<Int>] {
        slots.map { $0.offset..<$0.offset + space($0.length) }.sorted { $0.lowerBound < $1.lowerBound }
            .reduce(into: []) { joined, place in
                if let last = joined.last, last.upperBound == place.lowerBound {
                    joined[joined.count - 1] = last.lowerBound..<place.upperBound
                } else {
                    joined.append(place)
                }
            }
    }

    /// Removes a pack of which no content is needed any more.
    func remove(_ pack: Int64) {
        let path = path(of: pack)
        if unlink(path) != 0, errno == EISDIR { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Removes every pack at once.
    func removeAll() throws(Problem) { try BlobStore.empty(folder) }

    /// Gives back all of a pack but the places of some contents.
    func release(allOf pack: Int64, but kept: [PackSlot]) {
        guard let (descriptor, size) = try? openPack(pack, O_WRONLY) else { return }
        defer { close(descriptor) }
        var next = 0
        for place in Self.places(of: kept) + [Self.space(size)..<Self.space(size)] {
            if place.lowerBound > next { _ = alcedo_punch_hole(descriptor, next, place.lowerBound - next) }
            next = max(next, place.upperBound)
        }
    }

    /// The packs that lie there and were last written to before a time.
    func packs(writtenBefore date: Date) -> [Int64] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { UInt64($0, radix: 16).map(Int64.init(bitPattern:)) }
            .filter { BlobStore.wasWritten(path(of: $0), before: date) }
    }

    private func openPack(_ pack: Int64, _ mode: Int32) throws(Problem) -> (descriptor: Int32, size: Int) {
        let descriptor = open(path(of: pack), mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw .missing
            case ELOOP, ENXIO, ENODEV, EISDIR: throw .damaged("not a regular file")
            case EACCES: throw .damaged("it may not be opened")
            default: throw .system(operation: "open", code: errno)
            }
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .damaged("not a regular file")
        }
        return (descriptor, Int(status.st_size))
    }

    private func read(_ descriptor: Int32, _ slot: PackSlot) throws(Problem) -> Data {
        var data = Data(count: slot.length)
        var done = 0
        while done < slot.length {
            let got = data.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, slot.length - done, slot.offset + done)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else {
                if errno == EIO { throw .damaged("it cannot be read") }
                throw .system(operation: "read", code: errno)
            }
            guard got > 0 else { throw .damaged("the pack ends before the content does") }
            done += got
        }
        return data
    }

    private func writeAll(_ data: Data, to descriptor: Int32, at offset: Int) throws(Problem) {
        var done = 0
        while done < data.count {
            let wrote = data.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress.map { $0 + done }, data.count - done, offset + done)
            }
            if wrote < 0, errno == EINTR { continue }
            guard wrote > 0 else { throw .system(operation: "write", code: wrote < 0 ? errno : ENOSPC) }
            done += wrote
        }
    }
}

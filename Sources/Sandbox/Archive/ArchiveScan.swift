import AlcedoCArchive
import AlcedoImageCodecs
import AlcedoSupport
import FoundationEssentials
import Glibc

/// One pass over an archive, from its start, in as many steps as its caller likes; it runs in a helper process.
final class ArchiveScan {
    /// The largest number of entries that are unpacked at a time.
    private static let batchLimit = 10_000
    /// The bytes of names after which a list continues in the next step.
    private static let listedBytes = 8 << 20

    private let archive: OpaquePointer
    private let descriptor: Int32
    private var index = -1
    private var entry = alcedo_archive_entry()
    /// Whether the entry at `index` has not been used yet.
    private var isPending = false

    /// - Parameter file: The descriptor of the archive, at its start; the scan keeps a copy of it.
    init(_ file: Int32) throws(CodecError) {
        var reason = [CChar](repeating: 0, count: 300)
        let descriptor = dup(file)
        guard descriptor >= 0 else { throw .processor(.environment(String(cString: strerror(errno)))) }
        guard let archive = alcedo_archive_open(descriptor, &reason, reason.count) else {
            close(descriptor)
            let text = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw alcedo_archive_available() == 0 ? .processor(.environment(text)) : .damaged("archive", text)
        }
        self.archive = archive
        self.descriptor = descriptor
    }

    deinit {
        alcedo_archive_close(archive)
        close(descriptor)
    }

    /// Returns the names of the next files, as `ArchiveReply.members` reads them.
    ///
    /// If the archive is damaged after the first file, the reason follows the names.
    func list() throws(CodecError) -> [UInt8] {
        var writer = MessageWriter()
        let isFirst = index < 0
        do throws(CodecError) {
            try list(&writer)
        } catch  where !isFirst || !writer.bytes.isEmpty {
            writer.write(ArchiveReply.problem)
            writer.write(error.title)
        }
        return writer.bytes
    }

    private func list(_ writer: inout MessageWriter) throws(CodecError) {
        while try next() {
            guard entry.is_regular != 0 || entry.is_link != 0 else { continue }
            guard index < ArchiveMember.countLimit else {
                throw .processor(.limitExceeded("more than \(ArchiveMember.countLimit) files in the archive"))
            }
            guard writer.bytes.count < Self.listedBytes else {
                isPending = true
                return writer.write(ArchiveReply.more)
            }
            writer.write(index)
            let (name, isLong) = Self.name(entry.name)
            writer.write(name)
            writer.write(
                isLong
                    ? "its name is too long"
                    : entry.is_link != 0 ? "it is a link" : entry.is_encrypted != 0 ? "it is encrypted" : "")
        }
    }

    /// Returns a name as text.
    ///
    /// If a name has control characters, they and all bytes beyond ASCII are written as `%82`, so that different names
    /// stay different. A long name loses its middle.
    private static func name(_ stored: UnsafePointer<CChar>) -> (text: String, isLong: Bool) {
        let bytes = UnsafeRawBufferPointer(start: stored, count: strlen(stored))
        var text = String(pathBytes: bytes)
        if text.isEmpty || text.hasControls {
            text = bytes.map { byte in
                (0x20...0x7E).contains(byte)
                    ? String(UnicodeScalar(byte)) : "%" + byte.digits(2, radix: 16, uppercase: true)
            }.joined()
        }
        guard text.utf8.count > 1000 else { return (text, false) }
        return (String(text.prefix(200)) + "…" + String(text.suffix(30)), true)
    }

    /// Returns files in the order of the archive, as `ArchiveReply.unpacked` reads them.
    ///
    /// - Parameters:
    ///   - first: The index of the first file, which no earlier step has passed.
    ///   - total: The bytes after which no further file is unpacked.
    ///   - limit: The largest number of bytes of one file.
    func unpack(from first: Int, total: Int, limit: Int) throws(CodecError) -> [UInt8] {
        var table = MessageWriter()
        var contents: [UInt8] = []
        while try next(isAfterFiles: !table.bytes.isEmpty) {
            guard index >= first, entry.is_regular != 0 else { continue }
            guard index == first || contents.count < total, index - first < Self.batchLimit,
                index <= ArchiveMember.countLimit
            else {
                isPending = true
                break
            }
            table.write(index)
            switch read(limit, appendingTo: &contents) {
            case .bytes(let range):
                table.write(0)
                table.write(range.count)
            case .tooLarge: table.write(1)
            case .failed(let reason):
                table.write(2)
                table.write(reason)
            }
            if index == first, total == 0 { break }
        }
        var head = MessageWriter()
        head.write(table.bytes.count)
        return head.bytes + table.bytes + contents
    }

    /// Goes to the next entry; returns false at the end, or at damage that follows files.
    private func next(isAfterFiles: Bool = false) throws(CodecError) -> Bool {
        if isPending {
            isPending = false
            return true
        }
        index += 1
        switch alcedo_archive_next(archive, &entry) {
        case 1: return true
        case 0: return false
        case _ where isAfterFiles: return false
        default: throw .damaged("archive", String(cString: alcedo_archive_reason(archive)))
        }
    }

    private func read(_ limit: Int, appendingTo contents: inout [UInt8]) -> UnpackedMember {
        guard entry.size <= Int64(limit) else { return .tooLarge }
        let start = contents.count
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Int(alcedo_archive_read(archive, &buffer, buffer.count))
            if count == 0 { return .bytes(start..<contents.count) }
            if count > 0, contents.count + count - start <= limit {
                contents.append(contentsOf: buffer.prefix(count))
                continue
            }
            contents.removeSubrange(start...)
            return count > 0 ? .tooLarge : .failed(String(cString: alcedo_archive_reason(archive)))
        }
    }
}

/// Reads what a helper, which an attacker may control, says about an archive.
enum ArchiveReply {
    /// The numbers that end a list, in place of an index.
    ///
    /// After `problem`, the reason follows why the archive cannot be read further. `more` means that the next reply
    /// continues.
    static let problem = -1, more = -2

    /// The files of a reply.
    struct Listing {
        var members: [ArchiveMember] = []
        /// Why the archive cannot be read further.
        var problem: String?
        /// Whether the next reply has more files.
        var isPart = false
    }

    static func members(_ bytes: [UInt8]) throws(MessageReader.Malformed) -> Listing {
        var reader = MessageReader(bytes)
        var listing = Listing()
        while !reader.isAtEnd {
            let index = try reader.integer(in: more...ArchiveMember.countLimit)
            guard index >= 0 else {
                if index == problem { listing.problem = try reader.text() } else { listing.isPart = true }
                try reader.finish()
                break
            }
            let (name, problem) = (try reader.text(), try reader.text())
            listing.members.append(
                ArchiveMember(index: index, storedName: name, problem: problem.isEmpty ? nil : problem))
        }
        return listing
    }

    /// Returns the unpacked files of a reply, by their index in the archive.
    ///
    /// The reply is the length of a table in eight bytes, the table, and the contents of the files. The range of a file
    /// is its place in `bytes`.
    static func unpacked(_ bytes: Data) throws(MessageReader.Malformed) -> [Int: UnpackedMember] {
        var head = MessageReader(Array(bytes.prefix(8)))
        let tableEnd = 8 + (try head.integer(in: 0...max(0, bytes.count - 8)))
        var table = MessageReader(Array(bytes.dropFirst(8).prefix(tableEnd - 8)))
        var (members, start): ([Int: UnpackedMember], Int) = ([:], tableEnd)
        while !table.isAtEnd {
            let index = try table.integer(in: 0...ArchiveMember.countLimit)
            switch try table.integer(in: 0...2) {
            case 0:
                let end = start + (try table.integer(in: 0...bytes.count - start))
                members[index] = .bytes(start..<end)
                start = end
            case 1: members[index] = .tooLarge
            default: members[index] = .failed(try table.text())
            }
        }
        return members
    }
}

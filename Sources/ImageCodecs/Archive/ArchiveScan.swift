import CArchive
import Foundation

/// One pass over an archive, from its start; it runs in a helper process.
struct ArchiveScan: ~Copyable {
    /// The largest number of entries that are unpacked at a time.
    private static let batchLimit = 10_000

    private let archive: OpaquePointer
    private var index = -1
    private var entry = alcedo_archive_entry()

    /// - Parameter descriptor: The archive's file, at its start; the caller closes it after the scan.
    init(_ descriptor: Int32) throws(CodecError) {
        var reason = [CChar](repeating: 0, count: 300)
        guard let archive = alcedo_archive_open(descriptor, &reason, reason.count) else {
            let text = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw alcedo_archive_available() == 0 ? .processor(.environment(text)) : .damaged("archive", text)
        }
        self.archive = archive
    }

    deinit { alcedo_archive_close(archive) }

    /// Returns the names of all files, as `ArchiveReply.members` reads them.
    ///
    /// If the archive is damaged behind the first file, the reason follows the names.
    static func list(_ descriptor: Int32) throws(CodecError) -> [UInt8] {
        var scan = try ArchiveScan(descriptor)
        var writer = MessageWriter()
        do throws(CodecError) {
            try scan.list(&writer)
        } catch  where !writer.bytes.isEmpty {
            writer.write(-1)
            writer.write(error.title)
        }
        return writer.bytes
    }

    private mutating func list(_ writer: inout MessageWriter) throws(CodecError) {
        while try next() {
            guard entry.is_regular != 0 || entry.is_link != 0 else { continue }
            guard index < ArchiveMember.countLimit else {
                throw .processor(.limitExceeded("more than \(ArchiveMember.countLimit) files in the archive"))
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
    /// In a name that is not UTF-8, or that has control characters, each byte beyond ASCII is written as `%82`, so that
    /// different names stay different. Of a long name the middle is left out.
    private static func name(_ stored: UnsafePointer<CChar>) -> (text: String, isLong: Bool) {
        let bytes = UnsafeRawBufferPointer(start: stored, count: strlen(stored))
        var text = String(validating: bytes, as: UTF8.self) ?? ""
        let isPlain = text.unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) }
        if text.isEmpty || !isPlain {
            text = bytes.map { byte in
                (0x20...0x7E).contains(byte) ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
            }.joined()
        }
        guard text.utf8.count > 1000 else { return (text, false) }
        return (String(text.prefix(200)) + "…" + String(text.suffix(30)), true)
    }

    /// Returns files in the order of the archive, as `ArchiveReply.unpacked` reads them.
    ///
    /// - Parameters:
    ///   - first: The index of the first file.
    ///   - total: The bytes after which no further file is unpacked.
    ///   - limit: The largest number of bytes of one file.
    static func unpack(
        _ descriptor: Int32, from first: Int, total: Int, limit: Int
    ) throws(CodecError) -> [UInt8] {
        var scan = try ArchiveScan(descriptor)
        var table = MessageWriter()
        var contents: [UInt8] = []
        while try scan.next(isAfterFiles: !table.bytes.isEmpty) {
            guard scan.index >= first, scan.entry.is_regular != 0 else { continue }
            guard scan.index == first || contents.count < total, scan.index - first < Self.batchLimit,
                scan.index <= ArchiveMember.countLimit
            else { break }
            table.write(scan.index)
            switch scan.read(limit, appendingTo: &contents) {
            case .bytes(let range):
                table.write(0)
                table.write(range.count)
            case .tooLarge: table.write(1)
            case .failed(let reason):
                table.write(2)
                table.write(reason)
            }
            if scan.index == first, total == 0 { break }
        }
        var head = MessageWriter()
        head.write(table.bytes.count)
        return head.bytes + table.bytes + contents
    }

    /// Goes to the next entry; returns false at the end, or at damage that follows files.
    private mutating func next(isAfterFiles: Bool = false) throws(CodecError) -> Bool {
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
    /// Returns the files of an archive, and why it cannot be read further.
    static func members(
        _ bytes: [UInt8]
    ) throws(MessageReader.Malformed) -> (members: [ArchiveMember], problem: String?) {
        var reader = MessageReader(bytes)
        var members: [ArchiveMember] = []
        while !reader.isAtEnd {
            let index = try reader.integer(in: -1...ArchiveMember.countLimit)
            if index < 0 { return (members, try reader.text()) }
            let (name, problem) = (try reader.text(), try reader.text())
            members.append(
                ArchiveMember(index: index, storedName: name, problem: problem.isEmpty ? nil : problem))
        }
        return (members, nil)
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

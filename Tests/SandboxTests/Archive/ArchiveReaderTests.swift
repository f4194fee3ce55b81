import AlcedoSupport
import Foundation
import TestSupport
import Testing

@testable import AlcedoImageCodecs
@testable import AlcedoSandbox

@Suite(.timeLimit(.minutes(1))) struct ArchiveReaderTests {
    private let folder: TemporaryFolder
    private let reader = ArchiveReader()

    init() throws { folder = try TemporaryFolder() }

    private static let files: [(name: String, bytes: [UInt8])] = [
        ("a.txt", Array("first".utf8)), ("b/Größe.jpg", [UInt8](repeating: 7, count: 3000)), ("c", []),
    ]

    private func text(_ name: String, in path: String, limit: Int = 1 << 20) async throws(CodecError) -> String {
        String(decoding: try await reader.data(of: name, in: path, limit: limit), as: UTF8.self)
    }

    @Test(arguments: [ArchiveFiles.tar(files), ArchiveFiles.zip(files)])
    func `the files of an archive are listed and read in any order`(bytes: [UInt8]) async throws {
        let path = try folder.write("archive", bytes)
        let (members, problem) = try await reader.members(of: path)
        #expect(problem == nil)
        #expect(members.map(\.name) == ["a.txt", "b/Größe.jpg", "c"])
        for index in [1, 0, 2, 1] {
            let (name, bytes) = Self.files[index]
            #expect(try await reader.data(of: name, in: path, limit: 3000) == Data(bytes))
        }
    }

    @Test func `a name cannot lead out of the archive`() async throws {
        let path = try folder.write("a.tar", ArchiveFiles.tar([("../../etc/x.jpg", [1]), ("/./a//b.jpg", [2])]))
        let members = try await reader.members(of: path).members
        #expect(members.map(\.name) == ["etc/x.jpg", "a/b.jpg"])
        #expect(members.map(\.problem) == ["its name leads out of the archive", nil])
    }

    @Test func `an encrypted file is reported as encrypted`() async throws {
        let path = try folder.write("a.zip", ArchiveFiles.zip([("a.jpg", [1, 2, 3])], isEncrypted: true))
        #expect(try await reader.members(of: path).members.map(\.problem) == ["it is encrypted"])
    }

    @Test func `of two files with the same name the later one is used`() async throws {
        let path = try folder.write("a.tar", ArchiveFiles.tar([("a", Array("old".utf8)), ("a", Array("new".utf8))]))
        #expect(try await reader.members(of: path).members.map(\.index) == [1])
        #expect(try await text("a", in: path) == "new")
    }

    @Test func `the files before the damaged part of an archive are readable`() async throws {
        let whole = ArchiveFiles.tar([("a", Array("first".utf8)), ("b", [UInt8](repeating: 1, count: 5000))])
        let path = try folder.write("a.tar", Array(whole.prefix(2000)))
        let (members, problem) = try await reader.members(of: path)
        #expect(members.map(\.name) == ["a", "b"])
        #expect(try #require(problem).hasPrefix("damaged archive: Truncated"))
        #expect(try await text("a", in: path) == "first")
        await #expect(throws: CodecError.self) { try await text("b", in: path) }
    }

    @Test func `a file beyond the limit is refused and the next one read`() async throws {
        let path = try folder.write("a.tar", ArchiveFiles.tar([("a", [1, 2, 3, 4]), ("b", Array("12".utf8))]))
        await #expect(throws: CodecError.processor(.limitExceeded("more than 0 MiB in the archive; raise --max-size")))
        {
            try await text("a", in: path, limit: 3)
        }
        #expect(try await text("b", in: path, limit: 3) == "12")
    }

    @Test func `a changed archive is read again`() async throws {
        let path = try folder.write("a.tar", ArchiveFiles.tar([("a", Array("one".utf8))]))
        #expect(try await text("a", in: path) == "one")
        try folder.write("a.tar", ArchiveFiles.tar([("x", [0]), ("a", Array("two!".utf8))]))
        #expect(try await text("a", in: path) == "two!")
    }

    @Test func `a file that is no archive is refused`() async throws {
        let path = try folder.write("a.zip", Array("not an archive, only text".utf8))
        await #expect(throws: CodecError.processor(.decodingFailed(format: "archive", "Unrecognized archive format"))) {
            try await reader.members(of: path)
        }
        await #expect(throws: CodecError.self) { try await reader.members(of: folder / "missing.zip") }
        await #expect(throws: CodecError.self) { try await reader.members(of: folder.path) }
    }

    @Test func `later files are read without unpacking the archive again`() async throws {
        let files = (0..<200).map { (name: "\($0).jpg", bytes: [UInt8]("picture \($0)".utf8)) }
        let path = try folder.write("a.tar", ArchiveFiles.tar(files))
        // Going back, and far ahead, unpacks one file only.
        for index in [199, 0, 90] { #expect(try await text("\(index).jpg", in: path) == "picture \(index)") }
        // A reader that started again would meet damage.
        var facts = stat()
        #expect(stat(path, &facts) == 0)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: [UInt8](repeating: 0xFF, count: 512))
        try file.close()
        #expect(utimensat(AT_FDCWD, path, [facts.st_atim, facts.st_mtim], 0) == 0)
        #expect(try await text("160.jpg", in: path) == "picture 160")
        await #expect(throws: CodecError.self) { try await text("20.jpg", in: path) }
    }

    @Test func `a list of many long names takes several replies`() async throws {
        let names = (0..<20_000).map { "\($0)/" + String(repeating: "é", count: 240) + ".jpg" }
        let path = try folder.write("a.zip", ArchiveFiles.zip(names.map { ($0, [1]) }))
        let (members, problem) = try await reader.members(of: path)
        #expect(problem == nil && members.map(\.name) == names)
        #expect(try await reader.data(of: names[19_000], in: path, limit: 10) == Data([1]))
    }

    @Test func `invalid answers of a helper are refused`() throws {
        var table = MessageWriter()
        for value in [0, 0, 10] { table.write(value) }
        var head = MessageWriter()
        head.write(table.bytes.count)
        let valid = head.bytes + table.bytes + [UInt8](repeating: 1, count: 10)
        #expect(try ArchiveReply.unpacked(Data(valid)) == [0: .bytes(32..<42)])
        #expect(throws: MessageReader.Malformed.self) { try ArchiveReply.unpacked(Data(valid.dropLast())) }
        #expect(throws: MessageReader.Malformed.self) { try ArchiveReply.unpacked(Data(valid.prefix(7))) }
        #expect(throws: MessageReader.Malformed.self) { try ArchiveReply.members(Array(valid)) }
        var names = MessageWriter()
        names.write(ArchiveReply.more)
        #expect(try ArchiveReply.members(names.bytes).isPart)
        names.write(0)
        #expect(throws: MessageReader.Malformed.self) { try ArchiveReply.members(names.bytes) }
        #expect(HelperRequest(.unpackArchive(from: 0, total: .max), limits: .init(bytes: .max)).largestReply < 1 << 42)
    }

    @Test func `names that are not UTF-8 keep their bytes, and links and long names are reported`() async throws {
        let long = String(repeating: "x", count: 2000) + ".jpg"
        let names: [[UInt8]] = [[0x82, 0xA0] + Array(".png".utf8), [0x82, 0xA2] + Array(".png".utf8)]
        var archive = ArchiveFiles.tar([("1.png", [1]), ("2.png", [2])])
        for (index, name) in names.enumerated() {
            archive = Self.renaming(archive, "\(index + 1).png", to: name)
        }
        let path = try folder.write("a.tar", archive)
        #expect(try await reader.members(of: path).members.map(\.name.pathBytes) == names)
        #expect(try await reader.data(of: String(pathBytes: names[1]), in: path, limit: 10) == Data([2]))
        let zip = try folder.write("a.zip", ArchiveFiles.zip([(long, [1]), ("é.jpg", [2])]))
        let members = try await reader.members(of: zip).members
        #expect(members.map(\.problem) == ["its name is too long", nil])
        #expect(members[0].name.hasSuffix(".jpg"))
        #expect(try await reader.data(of: "é.jpg", in: zip, limit: 10) == Data([2]))
    }

    /// Returns a tar file in which a name is replaced; the checksums are those of the sum of bytes.
    private static func renaming(_ archive: [UInt8], _ name: String, to bytes: [UInt8]) -> [UInt8] {
        var archive = archive
        let start = archive.indices.first { archive[$0...].starts(with: Array(name.utf8)) } ?? 0
        archive.replaceSubrange(start..<start + 100, with: bytes + [UInt8](repeating: 0, count: 100 - bytes.count))
        archive.replaceSubrange(start + 148..<start + 156, with: Array("        ".utf8))
        let sum = archive[start..<start + 512].reduce(0) { $0 + Int($1) }
        archive.replaceSubrange(start + 148..<start + 156, with: Array(String(format: "%06lo\u{0} ", sum).utf8))
        return archive
    }
}

import AlcedoSandbox
import Foundation
import ImageLoading
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoImageCodecs
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct TarShardsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func add(_ count: Int, to shards: TarShards) throws -> [Bool] {
        try (0..<count).map { index in
            try shards.add(
                key: "key\(index)", fileExtension: "jpg", Data("picture \(index)".utf8), facts: Data("{}\n".utf8))
        }
    }

    @Test func `an archive is renamed after a thousand pictures, and the last one at the end`() async throws {
        let shards = try TarShards(folder: folder / "new/shards")
        let isWhole = try add(1001, to: shards)
        #expect(isWhole.indices.filter { isWhole[$0] } == [999])
        #expect(folder.files().filter { $0.hasSuffix(".tar") } == ["new/shards/00000.tar"])
        try shards.finish()
        #expect(folder.files().sorted() == ["new/shards/00000.tar", "new/shards/00001.tar"])

        // An independent reader finds every picture beside its facts.
        let path = folder / "new/shards/00000.tar"
        let (members, problem) = try await ArchiveReader.shared.members(of: path)
        #expect(problem == nil && members.count == 2000)
        #expect(members.prefix(3).map(\.name) == ["key0.jpg", "key0.json", "key1.jpg"])
        let picture = try await ArchiveReader.shared.data(of: "key999.jpg", in: path, limit: 100)
        #expect(picture == Data("picture 999".utf8))
    }

    @Test func `a caption stands beside its picture, and is no picture of its own`() async throws {
        let shards = try TarShards(folder: folder.path)
        for (key, caption) in [("000000000000000a", "the sea"), ("000000000000000b", nil)] {
            _ = try shards.add(
                key: key, fileExtension: "jpg", Data("x".utf8), caption: caption, facts: Data("{}".utf8))
        }
        try shards.finish()
        let (members, _) = try await ArchiveReader.shared.members(of: folder / "00000.tar")
        #expect(members.map { String($0.name.suffix(6)) } == ["0a.jpg", "a.json", "0a.txt", "0b.jpg", "b.json"])
        let caption = try await ArchiveReader.shared.data(
            of: "000000000000000a.txt", in: folder / "00000.tar", limit: 100)
        #expect(caption == Data("the sea".utf8))
        let later = try TarShards(folder: folder.path)
        #expect(later.contains(key: "000000000000000a") && later.contains(key: "000000000000000b"))
    }

    @Test func `existing archives are never replaced`() throws {
        try folder.write("00000.tar", Array("mine".utf8))
        let (first, second) = (try TarShards(folder: folder.path), try TarShards(folder: folder.path))
        for shards in [first, second] {
            _ = try add(1, to: shards)
            try shards.finish()
        }
        #expect(folder.files().sorted() == ["00000.tar", "00001.tar", "00002.tar"])
        #expect(try folder.read("00000.tar") == "mine")
    }

    @Test func `the partial archive of a killed run is removed, that of a running one is kept`() throws {
        try folder.write(".alcedo-shard-old", [1])
        let running = try TarShards(folder: folder.path)
        _ = try add(1, to: running)
        #expect(folder.files().count == 1)
        _ = try TarShards(folder: folder.path)
        #expect(folder.files().count == 1)
        try running.finish()
        #expect(folder.files() == ["00000.tar"])
    }

    @Test func `the keys in earlier archives are known`() throws {
        func key(_ number: Int) -> String { String(format: "%016x", number) }
        let first = try TarShards(folder: folder.path)
        for number in 0...1000 {
            _ = try first.add(key: key(number), fileExtension: "jpg", Data(count: number), facts: Data("{}\n".utf8))
        }
        try first.finish()
        // A file that was moved away leaves a gap; one that is no tar file is left alone.
        try FileManager.default.removeItem(atPath: folder / "00000.tar")
        try folder.write("00002.tar", Array("no tar file".utf8))
        let second = try TarShards(folder: folder.path)
        #expect(second.contains(key: key(1000)) && !second.contains(key: key(0)) && !second.contains(key: key(1001)))
        _ = try add(1, to: second)
        try second.finish()
        #expect(folder.files().sorted() == ["00000.tar", "00001.tar", "00002.tar"])
    }

    @Test func `a folder that is not writable is refused`() {
        #expect(throws: ProgramProblem.self) { try TarShards(folder: "/proc/shards") }
    }
}

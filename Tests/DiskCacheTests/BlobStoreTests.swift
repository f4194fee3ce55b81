import Foundation
import Glibc
import TestSupport
import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1)))
struct BlobStoreTests {
    private let place: TemporaryFolder
    private let store: BlobStore
    private let data = Data("a picture".utf8)
    private var digest: ContentDigest { ContentDigest(of: data) }
    private var name: ContentName { ContentName(digest: digest) }
    private var path: String { store.path(of: digest.hexadecimal) }

    init() throws {
        place = try TemporaryFolder()
        store = BlobStore(folder: place / "blobs")
    }

    private func read() throws(BlobStore.Problem) -> Data {
        try store.read(digest.hexadecimal, length: data.count, checkingDigest: true)
    }

    @Test func `content is written to a file named by its digest and read back`() throws {
        try store.write(data, name: name)
        #expect(try read() == data)
        #expect(path.hasSuffix("/\(digest.hexadecimal.prefix(2))/\(digest.hexadecimal)"))
    }

    @Test func `empty content can be stored`() throws {
        let nothing = ContentDigest(of: Data())
        try store.write(Data(), name: ContentName(digest: nothing))
        #expect(try store.read(nothing.hexadecimal, length: 0, checkingDigest: true).isEmpty)
    }

    @Test func `a write leaves no temporary file behind`() throws {
        try store.write(data, name: name, isDurable: true)
        #expect(place.files().count == 1)
    }

    @Test func `the same content with an extension is stored as a separate file`() throws {
        let named = ContentName(digest: digest, fileExtension: "tar.gz")
        try store.write(data, name: named)
        try store.write(data, name: name)
        #expect(place.files().sorted() == [name, named].map { "blobs/\(digest.hexadecimal.prefix(2))/\($0.text)" })
        #expect(try store.read(named.text, length: data.count, checkingDigest: true) == data)
        store.remove(named.text)
        #expect(try read() == data)
    }

    @Test func `a durable write synchronises the file and its folders`() throws {
        let synchronized = Recorder<String>()
        var store = store
        store.synchronize = { descriptor in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            synchronized.add(path.map { ($0 as NSString).lastPathComponent } ?? "")
            return 0
        }
        try store.write(data, name: name)
        #expect(synchronized.all.isEmpty)
        try store.write(data, name: name, isDurable: true)
        let shard = String(digest.hexadecimal.prefix(2))
        #expect(synchronized.all == [name.text, shard, "blobs"])
        store.remove(name.text)
        try store.write(data, name: name, isDurable: true)
        #expect(synchronized.all.dropFirst(3).first?.hasPrefix(".tmp-") == true)
        #expect(synchronized.all.dropFirst(4) == [shard, "blobs"])
    }

    @Test func `a failed synchronisation is an error and leaves no file`() throws {
        var store = store
        store.synchronize = { _ in
            errno = EIO
            return -1
        }
        #expect { try store.write(data, name: name, isDurable: true) } throws: {
            if case BlobStore.Problem.system("sync", EIO) = $0 { true } else { false }
        }
        #expect(place.files().isEmpty)
    }

    @Test func `writing again replaces content of the wrong length`() throws {
        try store.write(data, name: name)
        try Data("short".utf8).write(to: URL(filePath: path))
        try store.write(data, name: name)
        #expect(try read() == data)
    }

    @Test func `writing again replaces content that was changed or is unreadable`() throws {
        try store.write(data, name: name)
        try Data(repeating: 0, count: data.count).write(to: URL(filePath: path))
        try store.write(data, name: name)
        #expect(try read() == data)
        chmod(path, 0)
        #expect(!store.holds(digest.hexadecimal, length: data.count))
        try store.write(data, name: name)
        #expect(store.holds(digest.hexadecimal, length: data.count))
    }

    @Test func `writing replaces even a folder in place of the content`() throws {
        mkdir(place / "blobs", 0o700)
        mkdir((path as NSString).deletingLastPathComponent, 0o700)
        mkdir(path, 0o700)
        try Data().write(to: URL(filePath: path + "/inner"))
        try store.write(data, name: name)
        #expect(try read() == data)
    }

    @Test func `missing and damaged content are distinguished`() throws {
        #expect { try read() } throws: { if case BlobStore.Problem.missing = $0 { true } else { false } }
        try store.write(data, name: name)
        var bytes = data
        bytes[3] ^= 1
        try bytes.write(to: URL(filePath: path))
        #expect { try read() } throws: { if case BlobStore.Problem.damaged = $0 { true } else { false } }
    }

    @Test func `a name that is not a digest accesses no file`() throws {
        try data.write(to: URL(filePath: place / "victim"))
        let name = "../../victim"
        #expect { try store.read(name, length: data.count, checkingDigest: false) } throws: {
            if case BlobStore.Problem.damaged = $0 { true } else { false }
        }
        store.remove(name)
        #expect(!store.holds(name, length: data.count))
        #expect(place.files() == ["victim"])
    }

    @Test func `clearing removes all content and the store stays writable`() throws {
        try store.write(data, name: name)
        try store.removeAll()
        #expect(place.files().isEmpty)
        try store.write(data, name: name)
        #expect(try read() == data)
    }

    @Test func `clearing an empty store succeeds`() throws {
        try store.removeAll()
        #expect(FileManager.default.fileExists(atPath: place / "blobs"))
    }

    @Test func `temporary names left by a killed process are skipped`() throws {
        // Given the number of the last temporary file of this process, and files with the next ones
        var store = store
        let names = Recorder<String>()
        store.synchronize = { descriptor in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            names.add(path.map { ($0 as NSString).lastPathComponent } ?? "")
            return 0
        }
        try store.write(data, name: name)
        store.remove(name.text)
        try store.write(data, name: name, isDurable: true)
        let last = try #require(
            names.all.first { $0.hasPrefix(".tmp-") }?.split(separator: "-").last.flatMap { Int($0) })
        store.remove(name.text)
        let shard = (path as NSString).deletingLastPathComponent
        for number in last + 1...last + 200 {
            try Data().write(to: URL(filePath: shard + "/.tmp-\(getpid())-\(number)"))
        }
        // When a content is written, then it is there
        try store.write(data, name: name)
        #expect(try read() == data)
    }

    @Test func `only temporary files older than an hour are swept`() throws {
        try store.write(data, name: name)
        let shard = (path as NSString).deletingLastPathComponent
        try Data().write(to: URL(filePath: shard + "/.tmp-1-1"))
        store.sweepTemporaryFiles(now: Date())
        #expect(FileManager.default.fileExists(atPath: shard + "/.tmp-1-1"))
        store.sweepTemporaryFiles(now: Date() + 3700)
        #expect(!FileManager.default.fileExists(atPath: shard + "/.tmp-1-1"))
        #expect(try read() == data)
    }

    @Test func `the remainder of an interrupted clearing is swept`() throws {
        try store.write(data, name: name)
        try place.write("blobs.old-1-1/ab/old", [1])
        try place.write("blobs-of-mine/kept", [1])
        store.sweepTemporaryFiles(now: Date())
        #expect(place.files().count == 2)
        #expect(try read() == data)
    }
}

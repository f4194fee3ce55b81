import Foundation
import Glibc
import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

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

    @Test func whatWasWrittenIsReadFromAFileNamedByItsDigest() throws {
        try store.write(data, name: name)
        #expect(try read() == data)
        #expect(path.hasSuffix("/\(digest.hexadecimal.prefix(2))/\(digest.hexadecimal)"))
    }

    @Test func noContentIsContentToo() throws {
        let nothing = ContentDigest(of: Data())
        try store.write(Data(), name: ContentName(digest: nothing))
        #expect(try store.read(nothing.hexadecimal, length: 0, checkingDigest: true).isEmpty)
    }

    @Test func nothingTemporaryIsLeftBehind() throws {
        try store.write(data, name: name, isDurable: true)
        #expect(place.files().count == 1)
    }

    @Test func anExtensionEndsTheFilesNameAndIsAnotherFile() throws {
        let named = ContentName(digest: digest, fileExtension: "tar.gz")
        try store.write(data, name: named)
        try store.write(data, name: name)
        #expect(place.files().sorted() == [name, named].map { "blobs/\(digest.hexadecimal.prefix(2))/\($0.text)" })
        #expect(try store.read(named.text, length: data.count, checkingDigest: true) == data)
        store.remove(named.text)
        #expect(try read() == data)
    }

    @Test func durableContentAndTheFoldersThatNameItAreSynchronised() throws {
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

    @Test func whatCannotBeSynchronisedIsAnErrorAndLeavesNothing() throws {
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

    @Test func writingAgainHealsAContentOfTheWrongLength() throws {
        try store.write(data, name: name)
        try Data("short".utf8).write(to: URL(filePath: path))
        try store.write(data, name: name)
        #expect(try read() == data)
    }

    @Test func writingAgainHealsAContentThatWasChangedOrCannotBeRead() throws {
        try store.write(data, name: name)
        try Data(repeating: 0, count: data.count).write(to: URL(filePath: path))
        try store.write(data, name: name)
        #expect(try read() == data)
        chmod(path, 0)
        #expect(!store.holds(digest.hexadecimal, length: data.count))
        try store.write(data, name: name)
        #expect(store.holds(digest.hexadecimal, length: data.count))
    }

    @Test func writingReplacesWhateverStandsInTheContentsPlace() throws {
        mkdir(place / "blobs", 0o700)
        mkdir((path as NSString).deletingLastPathComponent, 0o700)
        mkdir(path, 0o700)
        try Data().write(to: URL(filePath: path + "/inner"))
        try store.write(data, name: name)
        #expect(try read() == data)
    }

    @Test func aMissingContentIsToldFromADamagedOne() throws {
        #expect { try read() } throws: { if case BlobStore.Problem.missing = $0 { true } else { false } }
        try store.write(data, name: name)
        var bytes = data
        bytes[3] ^= 1
        try bytes.write(to: URL(filePath: path))
        #expect { try read() } throws: { if case BlobStore.Problem.damaged = $0 { true } else { false } }
    }

    @Test func aNameThatIsNoDigestReachesNoFile() throws {
        try data.write(to: URL(filePath: place / "victim"))
        let name = "../../victim"
        #expect { try store.read(name, length: data.count, checkingDigest: false) } throws: {
            if case BlobStore.Problem.damaged = $0 { true } else { false }
        }
        store.remove(name)
        #expect(!store.holds(name, length: data.count))
        #expect(place.files() == ["victim"])
    }

    @Test func clearingRemovesAllContentAndLeavesAFolderToWriteTo() throws {
        try store.write(data, name: name)
        try store.removeAll()
        #expect(place.files().isEmpty)
        try store.write(data, name: name)
        #expect(try read() == data)
    }

    @Test func clearingWhatWasNeverThereIsFine() throws {
        try store.removeAll()
        #expect(FileManager.default.fileExists(atPath: place / "blobs"))
    }

    @Test func onlyTemporaryFilesOlderThanAnHourAreSwept() throws {
        try store.write(data, name: name)
        let shard = (path as NSString).deletingLastPathComponent
        try Data().write(to: URL(filePath: shard + "/.tmp-1-1"))
        store.sweepTemporaryFiles(now: Date())
        #expect(FileManager.default.fileExists(atPath: shard + "/.tmp-1-1"))
        store.sweepTemporaryFiles(now: Date() + 3700)
        #expect(!FileManager.default.fileExists(atPath: shard + "/.tmp-1-1"))
        #expect(try read() == data)
    }

    @Test func whatAnUnfinishedClearingLeftIsSwept() throws {
        try store.write(data, name: name)
        try place.write("blobs.old-1-1/ab/old", [1])
        try place.write("blobs-of-mine/kept", [1])
        store.sweepTemporaryFiles(now: Date())
        #expect(place.files().count == 2)
        #expect(try read() == data)
    }
}

import Foundation
import Glibc
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct ImageDataProviderTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func fails(_ provider: some ImageDataProvider) async -> Bool {
        (try? await provider.data()) == nil
    }

    @Test func `raw bytes are returned unchanged`() async throws {
        let provider = RawImageDataProvider(data: Data([1, 2]), cacheKey: "k")
        #expect(try await provider.data() == Data([1, 2]))
        #expect(provider.isWorthCachingOnDisk)
    }

    @Test func `base64 is decoded`() async throws {
        #expect(try await Base64ImageDataProvider(base64String: "AQ\nID", cacheKey: "k").data() == Data([1, 2, 3]))
        let spaced = Base64ImageDataProvider(base64String: " A Q\r\n\tI\u{0B}D\u{0C} ", cacheKey: "k")
        #expect(try await spaced.data() == Data([1, 2, 3]))
        #expect(try await Base64ImageDataProvider(base64String: "", cacheKey: "k").data().isEmpty)
    }

    @Test(arguments: [
        "A", "AQI", "AQID=", "AQ-D", "AQ_D", "AQ*ID", "AQ=D", "====", "A===", "AQ==AQ==", "AQID!", "data:AQID",
        "AQI\u{0}D", "é",
    ])
    func `invalid base64 is an error`(text: String) async {
        #expect(await fails(Base64ImageDataProvider(base64String: text, cacheKey: "k")))
    }

    @Test func `a provider without progress reports none`() async throws {
        let told = Recorder<Int>()
        let provider: any ImageDataProvider = RawImageDataProvider(data: Data([1, 2]), cacheKey: "k")
        #expect(try await provider.data { received, _ in told.add(received) } == Data([1, 2]))
        #expect(told.all.isEmpty)
    }

    @Test func `a file reports its progress in slices`() async throws {
        let size = (256 << 10) * 2 + 5
        let path = try place.write("a", Data(repeating: 7, count: size))
        let told = Recorder<[Int?]>()
        let data = try await LocalFileImageDataProvider(fileURL: URL(filePath: path)).data { told.add([$0, $1]) }
        #expect(data == Data(repeating: 7, count: size))
        #expect(told.all == [[256 << 10, size], [512 << 10, size], [size, size]])
    }

    @Test func `a cancel stops the reading after a slice`() async throws {
        let path = try place.write("a", Data(count: (256 << 10) * 4))
        let told = Recorder<Int>()
        let task = Task {
            try await LocalFileImageDataProvider(fileURL: URL(filePath: path)).data { received, _ in
                told.add(received)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: ImageError.cancelled) { try await task.value }
        #expect(told.all == [256 << 10])
    }

    @Test(
        arguments: [
            ("data:image/png;base64,AQID", [1, 2, 3]), ("DATA:;BASE64,AQ%49D", [1, 2, 3]),
            ("data:,a%20b", [97, 32, 98]),
            ("data:,%89PNG%FF", [0x89, 0x50, 0x4E, 0x47, 0xFF]), ("data:,%zz", [0x25, 0x7A, 0x7A]), ("data:,", []),
        ] as [(String, [UInt8])])
    func `a data URL is decoded`(text: String, bytes: [UInt8]) async throws {
        let provider = DataURLImageDataProvider(text)
        #expect(try await Array(provider.data()) == bytes)
        #expect(!provider.isWorthCachingOnDisk)
        #expect(provider.cacheKey != DataURLImageDataProvider(text + "x").cacheKey)
    }

    @Test(arguments: ["data:image/png;base64", "data:;base64,???", "http://h/,x", ""])
    func `a malformed data URL is an error`(text: String) async {
        #expect(await fails(DataURLImageDataProvider(text)))
    }

    @Test func `an edited file has another cache key`() async throws {
        let file = URL(filePath: place / "a b.png")
        try Data([1, 2, 3]).write(to: file)
        let first = LocalFileImageDataProvider(fileURL: file)
        #expect(try await first.data() == Data([1, 2, 3]))
        #expect(!first.isWorthCachingOnDisk)
        try Data([1, 2, 3, 4]).write(to: file)
        #expect(LocalFileImageDataProvider(fileURL: file).cacheKey != first.cacheKey)
    }

    @Test func `anything other than a regular file is an error`() async {
        mkfifo(place / "pipe", 0o600)
        for path in [place / "pipe", place.path, "/dev/zero", place / "missing"] {
            #expect(await fails(LocalFileImageDataProvider(fileURL: URL(filePath: path))), "\(path)")
        }
    }

    @Test(arguments: [
        ("www.example.de/a.png", true), ("there/cdn.example.com/a.png", true), ("github.com/missing.png", false),
        ("10:30/a.png", false), (":80/a.png", false), ("cdn.example.com/x/a.png", true), ("localhost:8080/a.png", true),
        ("pictures/a.com", false), ("a:b/c.png", false), ("com/a.png", false), ("pictures.2024/a.png", false),
    ])
    func `a missing file gets a hint if its path looks like an address`(path: String, isHint: Bool) async {
        for folder in ["there", "github.com"] {
            try? FileManager.default.createDirectory(atPath: place / folder, withIntermediateDirectories: false)
        }
        let provider = LocalFileImageDataProvider(fileURL: URL(filePath: place / path))
        var text = ""
        do { _ = try await provider.data() } catch { text = String(describing: error) }
        #expect(text.hasPrefix("no such file or directory") && text.contains("https://") == isHint)
    }

    @Test func `a file over the limit is an error`() async throws {
        let file = URL(filePath: place / "a")
        try Data(count: 11).write(to: file)
        #expect(await fails(LocalFileImageDataProvider(fileURL: file, maximumBytes: 10)))
        #expect(await !fails(LocalFileImageDataProvider(fileURL: file, maximumBytes: 11)))
        let error = await #expect(throws: ImageError.self) {
            try await LocalFileImageDataProvider(fileURL: file).limited(to: 10).data()
        }
        #expect(error?.title == "too large: 11 bytes, limit 10 bytes; raise --max-size")
    }
}

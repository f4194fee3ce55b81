import Foundation
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct ArchiveMemberImageDataProviderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["a.tar/../x.jpg", "a.tar/p/../x.jpg", "a.tar/", "a.tar/.", "missing/x.jpg", "a.tar", ".."])
    func `other paths are not paths into an archive`(path: String) throws {
        try folder.write("a.tar", ArchiveFiles.tar([("p/x.jpg", [1])]))
        #expect(ArchiveMemberImageDataProvider(fileURL: URL(filePath: folder / path)) == nil)
    }

    @Test func `a path into an archive is the source of the file in it`() async throws {
        let path = try folder.write("a b.tar", ArchiveFiles.tar([("p/x.jpg", Array("picture".utf8))]))
        let source = Source(url: URL(filePath: "\(path)/p/x.jpg"))
        guard case .provider(let provider as ArchiveMemberImageDataProvider) = source else {
            Issue.record("\(source)")
            return
        }
        #expect(provider.archiveURL.path(percentEncoded: false) == path)
        #expect(provider.member == "p/x.jpg")
        #expect(try await provider.data() == Data("picture".utf8))
        #expect(provider.cacheKey.hasSuffix("/p/x.jpg") && !provider.isWorthCachingOnDisk)
        #expect(ArchiveMemberImageDataProvider(fileURL: URL(filePath: path)) == nil)
        #expect(ArchiveMemberImageDataProvider(fileURL: URL(filePath: folder / "missing/x.jpg")) == nil)
    }
}

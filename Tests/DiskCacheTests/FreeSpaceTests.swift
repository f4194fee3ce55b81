import TestSupport
import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1)))
struct FreeSpaceTests {
    @Test func `a folder has free space`() throws {
        let place = try TemporaryFolder()
        #expect(try #require(FreeSpace.bytes(at: place.path)) > 0)
    }

    @Test func `free space of a missing folder is nil`() { #expect(FreeSpace.bytes(at: "/nowhere/at/all") == nil) }
}

import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

struct LogWriteOutTests {
    @Test func theLogIsWrittenOutAgainAndAgain() throws {
        // Given an index with a log
        let place = try TemporaryFolder()
        try place.write("index-wal", [1, 2, 3])
        let sizes = Mutex<[Int]>([])
        let log = LogWriteOut(index: place / "index") { descriptor in
            var status = stat()
            if fstat(descriptor, &status) == 0 { sizes.withLock { $0.append(Int(status.st_size)) } }
        }
        // When it takes some transactions
        for _ in 0..<(3 * LogWriteOut.interval - 1) { log.noteTransaction() }
        // Then that log is begun to be written out once for each interval
        #expect(sizes.withLock(\.self) == [3, 3])
    }

    @Test func anIndexWithoutALogIsNoTrouble() throws {
        let log = LogWriteOut(index: try TemporaryFolder() / "index")
        for _ in 0..<LogWriteOut.interval { log.noteTransaction() }
    }
}

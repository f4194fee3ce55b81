import GRDB
import Glibc
import Synchronization

/// How long a connection waits for a lock that another process holds.
///
/// 5 s at first; whoever waited in vain waits a quarter of a second from then on, until a write has come through: the
/// cache must not stop the program again and again.
final class LockPatience: Sendable {
    private let hasGivenUp = Mutex(false)
    /// How many looks there are at first.
    private let patience: Mutex<Int>
    private let sleep: @Sendable (UInt32) -> Void

    /// Microseconds between two looks.
    private static let pause: UInt32 = 5_000
    private static let shortPatience = 250_000 / Int(pause)

    /// For so many seconds until `lengthen`, 5 by default; `sleep` takes microseconds.
    init(seconds: Int = 5, sleep: @escaping @Sendable (UInt32) -> Void = { usleep($0) }) {
        patience = Mutex(Self.looks(in: seconds))
        self.sleep = sleep
    }

    private static func looks(in seconds: Int) -> Int { seconds * 1_000_000 / Int(pause) }

    /// From now on 5 s.
    func lengthen() { patience.withLock { $0 = Self.looks(in: 5) } }

    /// Waits a little; answers whether to look again, after so many looks.
    func waits(afterLooks looks: Int) -> Bool {
        let goesOn = hasGivenUp.withLock { hasGivenUp in
            let limit = hasGivenUp ? Self.shortPatience : patience.withLock(\.self)
            if looks >= limit { hasGivenUp = true }
            return looks < limit
        }
        if goesOn { sleep(Self.pause) }
        return goesOn
    }

    /// Opens a file that others may be making now.
    ///
    /// Of two that would wait for each other SQLite refuses one at once, without asking how long it waits: it tries again.
    func opening<Value>(_ open: () throws -> Value) throws -> Value {
        var looks = 0
        while true {
            do {
                return try open()
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && !hasGivenUp.withLock(\.self) && waits(afterLooks: looks)
            {
                looks += 1
            }
        }
    }

    /// A write came through.
    func restore() { hasGivenUp.withLock { $0 = false } }
}

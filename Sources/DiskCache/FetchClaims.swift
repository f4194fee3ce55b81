import Crypto
import Foundation
import Glibc
import Synchronization

/// Lets one of several processes fetch what all of them want, so that the others find it in the cache.
///
/// A claim is a lock on one byte of a file, at the place that the key's digest names. The kernel gives it back with its
/// process, however that ends (`F_OFD_SETLK`, fcntl(2)). Two keys at one place cost a wait, no more.
package final class FetchClaims: Sendable {
    /// The right to fetch something; given back when nobody holds it any more.
    package final class Claim: Sendable {
        private let release: @Sendable () -> Void

        fileprivate init(release: @escaping @Sendable () -> Void) { self.release = release }

        deinit { release() }
    }

    /// How long another process is waited for.
    private static let patience = Duration.seconds(30)
    /// `F_OFD_SETLK` of Linux' `fcntl.h`, which Swift does not import.
    private static let setLock: Int32 = 37

    private let path: String
    /// The open file; -1 where it cannot be opened, nil before the first claim.
    private let descriptor = Mutex<Int32?>(nil)
    private let isShared = Mutex(false)

    init(path: String) { self.path = path }

    deinit { if let descriptor = descriptor.withLock(\.self), descriptor >= 0 { close(descriptor) } }

    /// Whether another process was met: what this one has looked up may have come since.
    package var hasMetOthers: Bool { isShared.withLock(\.self) }

    /// Waits while another process fetches the same, for 30 s at most; `isShared` tells that others fetch too, so that
    /// what is claimed may have come meanwhile.
    ///
    /// Without a claim, as where the file cannot be opened, everybody fetches.
    package func claim(_ key: String) async -> (claim: Claim?, isShared: Bool) {
        let place = Self.place(of: key)
        let end = ContinuousClock.now + Self.patience
        var pause = Duration.milliseconds(20)
        while !Task.isCancelled, ContinuousClock.now < end {
            switch lock(place, F_WRLCK) {
            case 0:
                let claim = Claim { [weak self] in _ = self?.lock(place, F_UNLCK) }
                return (claim, hasMetOthers)
            case EAGAIN, EACCES: break
            default: return (nil, false)
            }
            isShared.withLock { $0 = true }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(320))
        }
        return (nil, true)
    }

    /// Locks or unlocks one byte; answers the error's number, 0 for none.
    private func lock(_ place: Int, _ kind: Int32) -> Int32 {
        let file = descriptor.withLock { descriptor in
            if let descriptor { return descriptor }
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            descriptor = opened
            return opened
        }
        guard file >= 0 else { return EBADF }
        var range = flock()
        range.l_type = Int16(kind)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = place
        range.l_len = 1
        return fcntl(file, Self.setLock, &range) == 0 ? 0 : errno
    }

    /// 62 bits of the key's SHA-256.
    private static func place(of key: String) -> Int {
        let digest = SHA256.hash(data: Data(key.utf8))
        return digest.prefix(8).reduce(0) { $0 << 8 | Int($1) } & (1 << 62 - 1)
    }
}

import FoundationEssentials
import Glibc
import Synchronization

/// Locks that let one of several processes fetch a picture, so that the others find it in the cache.
///
/// A claim is a lock on one byte of a file (`F_OFD_SETLK`, fcntl(2)), at an offset that the key's digest gives. The
/// kernel releases it when the process ends. Two keys with the same offset only cost a wait.
package final class FetchClaims: Sendable {
    /// The right to fetch something; released with its last reference.
    package final class Claim: Sendable {
        private let release: @Sendable () -> Void

        fileprivate init(release: @escaping @Sendable () -> Void) { self.release = release }

        deinit { release() }
    }

    /// The maximum wait for another process.
    private static let waitLimit = Duration.seconds(30)
    /// `F_OFD_SETLK` of Linux's `fcntl.h`, which Swift does not import.
    private static let setLock: Int32 = 37

    private let path: String
    /// The descriptor of the file; -1 if it cannot be opened, nil before the first claim.
    private let descriptor = Mutex<Int32?>(nil)

    init(path: String) { self.path = path }

    deinit { if let descriptor = descriptor.withLock(\.self), descriptor >= 0 { close(descriptor) } }

    /// Claims a key, and waits up to 30 s while another process holds the claim.
    ///
    /// - Returns: The claim, or nil if there is none: then the caller fetches without it.
    package func claim(_ key: String) async -> Claim? {
        let place = Self.place(of: key)
        let end = ContinuousClock.now + Self.waitLimit
        var pause = Duration.milliseconds(20)
        while !Task.isCancelled, ContinuousClock.now < end {
            switch lock(place, F_WRLCK) {
            case 0: return Claim { [weak self] in _ = self?.lock(place, F_UNLCK) }
            case EAGAIN, EACCES: break
            default: return nil
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(320))
        }
        return nil
    }

    /// Locks or unlocks one byte of the file.
    ///
    /// - Returns: The error number; 0 on success.
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

    /// Returns the offset of a key: 62 bits of its SHA-256.
    private static func place(of key: String) -> Int {
        let digest = Data(key.utf8).withUnsafeBytes { SHA256.digest(of: $0) }
        return digest.prefix(8).reduce(0) { $0 << 8 | Int($1) } & (1 << 62 - 1)
    }
}

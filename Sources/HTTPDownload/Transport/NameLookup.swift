import Glibc
import NIOPosix

/// A lookup with the system's resolver, because the client's error does not say why a name was not found.
///
/// A name that does not exist is permanent; only a lookup without a response is retried.
enum NameLookup {
    /// Returns whether the name service reports that the name does not exist.
    static func isUnknown(_ host: String) async -> Bool {
        let code = try? await NIOThreadPool.singleton.runIfActive { () -> CInt in
            var found: UnsafeMutablePointer<addrinfo>?
            defer { found.map { freeaddrinfo($0) } }
            return getaddrinfo(host, nil, nil, &found)
        }
        // EAI_NODATA (a name without an address) is -5 in glibc, which does not define the constant by default.
        return code == EAI_NONAME || code == -5
    }
}

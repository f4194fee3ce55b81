import Glibc
import NIOPosix

/// Asks the system's resolver why a name was not found: the client's own error does not say.
///
/// A name that does not exist is no outage: only a look-up without an answer is retried.
enum NameLookup {
    /// Whether the name service says that there is no such name, as against giving no answer now.
    static func isUnknown(_ host: String) async -> Bool {
        let code = try? await NIOThreadPool.singleton.runIfActive { () -> CInt in
            var found: UnsafeMutablePointer<addrinfo>?
            defer { found.map { freeaddrinfo($0) } }
            return getaddrinfo(host, nil, nil, &found)
        }
        // EAI_NODATA, the name without an address, is -5 in glibc, which hides its name.
        return code == EAI_NONAME || code == -5
    }
}

import Glibc

/// The number of files that the process may have open.
enum DescriptorLimit {
    /// The descriptors that the program needs besides those of transfers: the cache, decoder processes, lists, the terminal.
    private static let base = 24

    /// Raises the limit as far as it goes, and returns why it does not suffice for this number of transfers, or nil.
    static func problem(transfers: Int) -> String? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let needed = rlim_t(base + max(1, transfers))
        if limit.rlim_cur < needed, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        guard limit.rlim_cur < needed else { return nil }
        return "only \(limit.rlim_cur) files may be open, and \(transfers) transfers at a time need \(needed): "
            + "raise 'ulimit -n' or lower --jobs"
    }
}

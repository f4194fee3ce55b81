import Glibc

/// The limits of the system for this process: files, memory, threads.
///
/// Swift's threads end the process, or wait forever, if they lack one of these resources.
package enum ProcessLimits {
    /// The descriptors that the program needs apart from transfers: the cache, decoder processes, lists,
    /// the terminal.
    private static let descriptors = 24
    /// The descriptors, threads and bytes of address space that every command needs.
    private static let fewest = (descriptors: rlim_t(8), threads: 4, memory: rlim_t(256 << 20))
    /// If the user may have fewer threads than this, the program tests whether it can start some.
    private static let fewThreads: rlim_t = 1024
    /// The bytes of address space that transfers need.
    private static let transferMemory: rlim_t = 512 << 20

    /// Returns why no command can run, or nil.
    package static func problem() -> String? {
        let files = raise(RLIMIT_NOFILE, to: fewest.descriptors)
        guard files >= fewest.descriptors else { return "only \(files) files may be open: raise 'ulimit -n'" }
        if let problem = memoryProblem(fewest.memory) { return problem }
        // Trying takes a tenth of the time that the program needs to start, and most users may have thousands.
        let isTight = raise(__RLIMIT_NPROC, to: fewThreads) < fewThreads
        return isTight && !canStartThreads
            ? "no more threads may be started: raise 'ulimit -u', or end other programs" : nil
    }

    /// Raises the limits as far as they go, and returns why they do not suffice for this number of transfers, or nil.
    package static func problem(transfers: Int) -> String? {
        let needed = rlim_t(descriptors + max(1, transfers))
        let files = raise(RLIMIT_NOFILE, to: needed)
        guard files < needed else { return memoryProblem(transferMemory) }
        let (work, remedy) =
            transfers > 1 ? ("\(transfers) transfers at a time need", " or lower --jobs") : ("a transfer needs", "")
        return "only \(files) files may be open, and \(work) \(needed): raise 'ulimit -n'" + remedy
    }

    private static func memoryProblem(_ needed: rlim_t) -> String? {
        let memory = raise(RLIMIT_AS, to: needed)
        guard memory < needed else { return nil }
        return "only \(memory >> 20) MiB of address space may be used, of \(needed >> 20) needed: raise 'ulimit -v'"
    }

    /// Raises a limit to the hard limit if it is below a number, and returns it.
    private static func raise(_ resource: __rlimit_resource, to needed: rlim_t) -> rlim_t {
        var limit = rlimit()
        let resource = __rlimit_resource_t(resource.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return .max }
        if limit.rlim_cur < needed, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(resource, &limit)
        }
        return limit.rlim_cur
    }

    /// Whether as many threads as every command needs can run at once.
    private static var canStartThreads: Bool {
        // A thread waits until all have started.
        var gate = pthread_mutex_t()
        pthread_mutex_init(&gate, nil)
        defer { pthread_mutex_destroy(&gate) }
        return withUnsafeMutablePointer(to: &gate) { gate in
            pthread_mutex_lock(gate)
            var threads: [pthread_t] = []
            for _ in 0..<fewest.threads {
                var thread = pthread_t()
                let wait: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { gate in
                    guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
                    pthread_mutex_lock(gate)
                    pthread_mutex_unlock(gate)
                    return nil
                }
                guard pthread_create(&thread, nil, wait, gate) == 0 else { break }
                threads.append(thread)
            }
            pthread_mutex_unlock(gate)
            for thread in threads { pthread_join(thread, nil) }
            return threads.count == fewest.threads
        }
    }
}

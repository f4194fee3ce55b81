import Glibc

/// Stops this process as Ctrl-Z does, although a `SignalWatch` ignores the signal.
enum ProcessStop {
    /// Stops the process and returns when it continues; returns at once in an orphaned process group, which no shell
    /// could continue.
    static func stop() {
        signal(SIGTSTP, SIG_DFL)
        var (stop, before) = (sigset_t(), sigset_t())
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        // Unblocked in this thread only; the signal stops all threads.
        pthread_sigmask(SIG_UNBLOCK, &stop, &before)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        signal(SIGTSTP, SIG_IGN)
    }
}

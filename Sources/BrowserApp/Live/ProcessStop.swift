import Glibc

/// Stops this process as ctrl-z does, though a `SignalWatch` keeps the signal from doing so.
enum ProcessStop {
    /// Returns when the process goes on; at once where nobody could let it go on, as no shell watches over it.
    static func stop() {
        signal(SIGTSTP, SIG_DFL)
        var (stop, before) = (sigset_t(), sigset_t())
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        // To this thread, which lets it through; it stops all of them.
        pthread_sigmask(SIG_UNBLOCK, &stop, &before)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        signal(SIGTSTP, SIG_IGN)
    }
}

import Retrying

/// A monitor whose states the test yields.
struct ScriptedMonitor: LinkMonitor {
    let link = AsyncStream<Bool>.makeStream()

    func updates() -> AsyncStream<Bool> { link.stream }
}

/// A scheduled action that can be cancelled.
enum Alarm: Sendable {
    case shared(SharedSleep, Int)
    case ofItsOwn(Task<Void, Never>)

    func cancel() {
        switch self {
        case .shared(let sleep, let id): sleep.cancel(id)
        case .ofItsOwn(let task): task.cancel()
        }
    }
}

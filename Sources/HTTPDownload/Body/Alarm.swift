/// Something that is to happen later, unless it is taken back before.
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

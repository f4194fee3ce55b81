/// The place in the task panel: it stays with its task while others come and go.
struct TaskCursor: Sendable, Equatable {
    private(set) var viewport = Viewport()
    private var item: Int?

    /// Where it stands among tasks: at its own, or where that was; 0 without any.
    func row(in tasks: [Int]) -> Int {
        let own = item.flatMap { item in tasks.firstIndex(of: item) }
        return max(0, min(own ?? viewport.cursor, tasks.count - 1))
    }

    /// The task it stands at.
    func chosen(in tasks: [Int]) -> ItemID? { tasks.isEmpty ? nil : ItemID(tasks[row(in: tasks)]) }

    mutating func move(by distance: Int, in tasks: [Int], height: Int) {
        move(to: row(in: tasks) + distance, in: tasks, height: height)
    }

    mutating func move(to row: Int, in tasks: [Int], height: Int) {
        viewport.move(to: row, count: tasks.count, height: height)
        item = tasks.isEmpty ? nil : tasks[viewport.cursor]
    }

    /// Stays with the task at which it stands now.
    mutating func settle(in tasks: [Int], height: Int) { move(by: 0, in: tasks, height: height) }
}

/// The cursor of the task panel, on a host or a task; it stays with it while others come and go.
struct TaskCursor: Sendable, Equatable {
    private(set) var viewport = Viewport()
    private var item: Int?
    private var host: String?

    /// Returns its row among tasks: that of its task, or the last known row; 0 if there are none.
    func row(in tasks: [Int]) -> Int {
        let own = item.flatMap { item in tasks.firstIndex(of: item) }
        return max(0, min(own ?? viewport.cursor, tasks.count - 1))
    }

    /// Returns the host under the cursor; nil if it is on a task.
    func host(in hosts: [String]) -> String? { host.flatMap { hosts.contains($0) ? $0 : nil } }

    /// Returns the task under the cursor.
    func chosen(in tasks: [Int]) -> ItemID? { tasks.isEmpty ? nil : ItemID(tasks[row(in: tasks)]) }

    /// Moves over the lines of the hosts, which come first, and those of the tasks.
    mutating func move(by distance: Int, in tasks: [Int], _ hosts: [String], height: Int) {
        let line = host.flatMap { hosts.firstIndex(of: $0) } ?? hosts.count + row(in: tasks)
        let target = max(0, min(line + distance, hosts.count + tasks.count - 1))
        guard target >= hosts.count else {
            host = hosts[target]
            return
        }
        move(to: target - hosts.count, in: tasks, height: height)
    }

    mutating func move(to row: Int, in tasks: [Int], height: Int) {
        host = nil
        viewport.move(to: row, count: tasks.count, height: height)
        item = tasks.isEmpty ? nil : tasks[viewport.cursor]
    }

    mutating func move(to host: String) { self.host = host }

    /// Updates the position of its host or task.
    mutating func update(in tasks: [Int], _ hosts: [String], height: Int) {
        move(by: 0, in: tasks, hosts, height: height)
    }
}

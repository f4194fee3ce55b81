import Foundation

/// What stands of kitty's pictures, by its protocol's specification: as much of it as a careful client needs.
package struct KittyLayer: Sendable {
    package struct Picture: Sendable, Equatable {
        package let column: Int
        package let row: Int
        /// In pixels, as its PNG file says.
        package let width: Int
        package let height: Int
    }

    package private(set) var pictures: [String: Picture] = [:]
    /// The most that ever stood at a time.
    package private(set) var peak = 0
    package private(set) var uploads = 0
    private var upload: (id: String, column: Int, row: Int, payload: String)?

    /// Obeys one command; true for the question whether the protocol is known.
    package mutating func obey(_ command: Substring, at cursor: (column: Int, row: Int)) -> Bool {
        let parts = command.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        var keys: [Substring: Substring] = [:]
        for pair in parts[0].split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            if sides.count == 2 { keys[sides[0]] = sides[1] }
        }
        switch keys["a"] {
        case "q": return true
        case "d": delete(keys)
        default: take(keys, parts.count > 1 ? parts[1] : "", at: cursor)
        }
        return false
    }

    private mutating func delete(_ keys: [Substring: Substring]) {
        upload = nil
        if keys["d"] == "A" { pictures = [:] }
        if let id = keys["i"] { pictures[String(id)] = nil }
    }

    private mutating func take(
        _ keys: [Substring: Substring], _ payload: Substring, at cursor: (column: Int, row: Int)
    ) {
        if let id = keys["i"], keys["a"] == "T" { upload = (String(id), cursor.column, cursor.row, "") }
        upload?.payload += payload
        guard keys["m"] != "1", let whole = upload else { return }
        upload = nil
        guard let file = Data(base64Encoded: whole.payload), file.count > 24, file.starts(with: [0x89, 0x50]) else {
            return
        }
        let number = { (place: Int) in file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        pictures[whole.id] = Picture(
            column: whole.column, row: whole.row, width: number(16), height: number(20))
        uploads += 1
        peak = max(peak, pictures.count)
    }
}

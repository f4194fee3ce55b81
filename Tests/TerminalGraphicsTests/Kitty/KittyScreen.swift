import Raster

/// A terminal's side of kitty's graphics protocol, written for these tests from its specification: what is uploaded,
/// what stands where, and a refusal of whatever a careful client avoids.
struct KittyScreen {
    typealias Refusal = Unpacking.Refusal

    struct Placement: Hashable {
        /// Counted from 0.
        let column: Int
        let row: Int
        /// The cells it is stretched over; 0 for its own size.
        let columns: Int
        let rows: Int
        let image: PixelBuffer
    }

    /// What stands on the screen, by the numbers of image and placement.
    private(set) var placements: [[Int]: Placement] = [:]
    /// What the terminal keeps in its memory.
    private(set) var images: [Int: PixelBuffer] = [:]
    private(set) var commands: [[Character: String]] = []
    private(set) var position = (column: 0, row: 0)
    private var upload: (keys: [Character: String], payload: [UInt8])?

    /// What the one picture on the screen looks like.
    var only: Placement? { placements.count == 1 ? placements.first?.value : nil }
    var isUploading: Bool { upload != nil }

    /// Takes bytes in which there must be nothing but graphics commands, absolute cursor movements and line ends.
    mutating func read(_ bytes: [UInt8]) throws(Refusal) {
        var rest = bytes[...]
        while let first = rest.first {
            if first == 10 || first == 0x18 {
                rest = rest.dropFirst()
            } else if rest.starts(with: "\u{1B}[".utf8) {
                try move(&rest)
            } else if rest.starts(with: "\u{1B}_G".utf8) {
                guard let end = rest.dropFirst(2).firstIndex(of: 0x1B) else { return }
                guard rest[end...].starts(with: "\u{1B}\\".utf8) else { throw Refusal(reason: "escape in a command") }
                try command(rest[rest.startIndex + 3..<end])
                rest = rest[(end + 2)...]
            } else if rest.starts(with: "\u{1B}\\".utf8) {
                rest = rest.dropFirst(2)
            } else {
                throw Refusal(reason: "byte \(first)")
            }
        }
    }

    private mutating func move(_ rest: inout ArraySlice<UInt8>) throws(Refusal) {
        guard let end = rest.firstIndex(of: UInt8(ascii: "H")) else { throw Refusal(reason: "movement") }
        let numbers = String(decoding: rest[rest.startIndex + 2..<end], as: UTF8.self).split(separator: ";")
        guard numbers.count == 2, let row = Int(numbers[0]), let column = Int(numbers[1]), row > 0, column > 0 else {
            throw Refusal(reason: "movement")
        }
        position = (column - 1, row - 1)
        rest = rest[(end + 1)...]
    }

    private mutating func command(_ text: ArraySlice<UInt8>) throws(Refusal) {
        // A command that was cut holds the CAN that ended it: kitty 0.26 drops it, but not the upload it is part of.
        if text.contains(0x18) { return }
        let parts = text.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
        let keys = try Self.keys(parts[0])
        guard keys["q"] == "2" else { throw Refusal(reason: "asks for an answer") }
        commands.append(keys)
        let payload = parts.count > 1 ? parts[1] : []
        guard payload.count <= 4096 else { throw Refusal(reason: "chunk of \(payload.count)") }
        if keys["a"] == "d" {
            try delete(keys)
        } else {
            try transmit(keys, payload)
        }
    }

    private static func keys(_ text: ArraySlice<UInt8>) throws(Refusal) -> [Character: String] {
        var keys: [Character: String] = [:]
        for pair in String(decoding: text, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false) {
            guard let key = pair.first, pair.dropFirst().first == "=", pair.count > 2, keys[key] == nil,
                "aqipCfsvcrmd".contains(key)
            else { throw Refusal(reason: "key \(pair)") }
            keys[key] = String(pair.dropFirst(2))
        }
        return keys
    }

    private mutating func delete(_ keys: [Character: String]) throws(Refusal) {
        if upload != nil {
            throw Refusal(reason: "a deletion within an upload, which kitty 0.26 takes for a part of it")
        }
        switch keys["d"] {
        case "A": (placements, images) = ([:], [:])
        case "I":
            guard let image = keys["i"].flatMap(Int.init) else { throw Refusal(reason: "deletion without number") }
            images[image] = nil
            placements = placements.filter { $0.key[0] != image }
        default: throw Refusal(reason: "deletion \(keys)")
        }
    }

    private mutating func transmit(_ keys: [Character: String], _ payload: ArraySlice<UInt8>) throws(Refusal) {
        // An empty last chunk ends an upload without a picture, and is refused silently where there is none.
        if keys == ["q": "2", "m": "0"], payload.isEmpty {
            upload = nil
            return
        }
        if upload != nil {
            guard keys["a"] == nil, Set(keys.keys) == ["q", "m"] else {
                throw Refusal(reason: "a command within an upload")
            }
        } else {
            guard keys["a"] == "T" else { throw Refusal(reason: "a part without beginning") }
            upload = (keys, [])
        }
        upload?.payload += payload
        switch keys["m"] {
        case "1": guard payload.count % 4 == 0 else { throw Refusal(reason: "chunk of \(payload.count)") }
        case "0":
            if let whole = upload { try show(whole.keys, whole.payload) }
            upload = nil
        default: throw Refusal(reason: "no word of more")
        }
    }

    private mutating func show(_ keys: [Character: String], _ payload: [UInt8]) throws(Refusal) {
        let number = { (key: Character) in keys[key].flatMap(Int.init) ?? 0 }
        guard number("i") <= UInt32.max, number("p") <= UInt32.max else { throw Refusal(reason: "number") }
        let image = try Self.picture(keys, try Unpacking.base64(payload[...]))
        if number("i") > 0 {
            placements = placements.filter { $0.key[0] != number("i") }
            images[number("i")] = image
        }
        let placement = Placement(
            column: position.column, row: position.row, columns: number("c"), rows: number("r"), image: image)
        placements[number("i") == 0 ? [0, -placements.count] : [number("i"), number("p")]] = placement
        if keys["C"] != "1" { position.column += 1 }
    }

    private static func picture(_ keys: [Character: String], _ bytes: [UInt8]) throws(Refusal) -> PixelBuffer {
        if keys["f"] == "100" { return try PNGReader.decode(bytes) }
        guard let channels = ["24": 3, "32": 4][keys["f"]], let width = keys["s"].flatMap(Int.init),
            let height = keys["v"].flatMap(Int.init)
        else { throw Refusal(reason: "format") }
        let count = width * height * channels
        guard bytes.count == count else { throw Refusal(reason: "\(bytes.count) bytes instead of \(count)") }
        return PixelBuffer(size: PixelSize(width: width, height: height)) { output in
            for place in 0..<width * height {
                for channel in 0..<4 {
                    output[place * 4 + channel] = channel < channels ? bytes[place * channels + channel] : 255
                }
            }
        }
    }
}

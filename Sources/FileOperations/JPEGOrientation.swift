import Raster

extension Orientation {
    /// Creates the orientation with some quarter turns clockwise, of any number, after a picture was mirrored or not.
    package init(quarters: Int, isMirrored: Bool = false) {
        let quarters = ((quarters % 4) + 4) % 4
        self = Self.allCases.first { $0.quarters == quarters && $0.isMirrored == isMirrored } ?? .upright
    }

    /// Whether left and right change places first.
    package var isMirrored: Bool { [.mirrored, .flipped, .transposed, .transversed].contains(self) }

    /// The quarter turns clockwise, from 0 to 3.
    package var quarters: Int {
        switch self {
        case .upright, .mirrored: 0
        case .turnedRight, .transversed: 1
        case .turnedHalf, .flipped: 2
        case .turnedLeft, .transposed: 3
        }
    }

    package func followed(by next: Orientation) -> Orientation {
        // A mirror turns the direction of the turns before it.
        Orientation(
            quarters: (next.isMirrored ? -quarters : quarters) + next.quarters,
            isMirrored: isMirrored != next.isMirrored)
    }

    var inverse: Orientation { isMirrored ? self : Orientation(quarters: -quarters) }
}

/// The orientation in the EXIF data of a JPEG file.
///
/// Source: ITU-T T.81, annex B; Exif 2.32, sections 4.5 and 4.7.
enum JPEGOrientation {
    private static let tag = 274

    /// Returns the file with its picture turned; no pixel is encoded again.
    ///
    /// - Throws: Why the file cannot be turned so.
    static func turned(_ file: [UInt8], by turn: Orientation) throws(FileProblem) -> [UInt8] {
        guard file.starts(with: [0xFF, 0xD8, 0xFF]) else {
            throw FileProblem("only a JPEG file is turned without loss: :export NAME writes a turned copy")
        }
        guard let range = exif(in: file) else {
            guard hasPicture(file) else { throw FileProblem("the JPEG is damaged") }
            return Array(file[..<2]) + segment(fresh(turn)) + file[2...]
        }
        let data = Array(file[range])
        guard let new = with(turn, data) else { throw FileProblem("its EXIF data is damaged") }
        guard new.count <= 0xFFFF - 2 - 6 else { throw FileProblem("its EXIF data has no room") }
        // The marker, the length and the six bytes of the name stand before the data.
        return Array(file[..<(range.lowerBound - 10)]) + segment(new) + file[range.upperBound...]
    }

    /// Returns the TIFF data in the first EXIF segment before the picture; nil if there is none.
    private static func exif(in file: [UInt8]) -> Range<Int>? {
        var place = 2
        while place + 4 <= file.count, file[place] == 0xFF {
            let marker = file[place + 1]
            if marker == 0xFF {
                place += 1
                continue
            }
            guard marker != 0xDA, marker != 0xD9, marker != 0x01, !(0xD0...0xD7).contains(marker) else { return nil }
            let end = place + 2 + Int(file[place + 2]) << 8 + Int(file[place + 3])
            guard end <= file.count, end >= place + 4 else { return nil }
            if marker == 0xE1, end >= place + 10, file[(place + 4)...].starts(with: Array("Exif\0".utf8)) {
                return place + 10..<end
            }
            place = end
        }
        return nil
    }

    /// Whether segments lead to the begin of the picture.
    private static func hasPicture(_ file: [UInt8]) -> Bool {
        var place = 2
        while place + 4 <= file.count, file[place] == 0xFF, file[place + 1] != 0xDA {
            let isFill = file[place + 1] == 0xFF
            place += isFill ? 1 : 2 + Int(file[place + 2]) << 8 + Int(file[place + 3])
        }
        return place + 4 <= file.count && file[place] == 0xFF && file[place + 1] == 0xDA
    }

    private static func segment(_ data: [UInt8]) -> [UInt8] {
        let length = data.count + 8
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("Exif\0\0".utf8) + data
    }

    /// TIFF data that states only an orientation.
    private static func fresh(_ orientation: Orientation) -> [UInt8] {
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + entry(orientation, isBig: true) + [0, 0, 0, 0]
    }

    private static func entry(_ orientation: Orientation, isBig: Bool) -> [UInt8] {
        let number = UInt8(orientation.rawValue)
        return isBig
            ? [1, 0x12, 0, 3, 0, 0, 0, 1, 0, number, 0, 0] : [0x12, 1, 3, 0, 1, 0, 0, 0, number, 0, 0, 0]
    }

    /// Returns TIFF data with the orientation turned; nil if it is damaged.
    private static func with(_ turn: Orientation, _ data: [UInt8]) -> [UInt8]? {
        guard data.count >= 8, let isBig = [[0x49, 0x49]: false, [0x4D, 0x4D]: true][Array(data[..<2])] else {
            return nil
        }
        func number(_ place: Int, _ size: Int) -> Int? {
            guard place >= 0, place + size <= data.count else { return nil }
            let bytes = data[place..<(place + size)]
            return (isBig ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let count = number(directory, 2),
            directory + 2 + count * 12 + 4 <= data.count
        else { return nil }
        let places = (0..<count).map { directory + 2 + $0 * 12 }
        var result = data
        if let place = places.first(where: { number($0, 2) == tag }) {
            let old = number(place + 8, 2).flatMap { Orientation(rawValue: UInt16($0)) } ?? .upright
            result.replaceSubrange(place..<(place + 12), with: entry(old.followed(by: turn), isBig: isBig))
            return result
        }
        // The directory moves to the end, where it has room for one more entry; all others keep their places.
        let smaller = places.prefix { (number($0, 2) ?? 0) < tag }.count
        let split = directory + 2 + smaller * 12
        let size = [UInt8((count + 1) >> 8 & 0xFF), UInt8((count + 1) & 0xFF)]
        if result.count % 2 == 1 { result.append(0) }
        let start = [24, 16, 8, 0].map { (shift: Int) -> UInt8 in UInt8(result.count >> shift & 0xFF) }
        result += isBig ? size : size.reversed()
        result += data[(directory + 2)..<split] + entry(turn, isBig: isBig)
        result += data[split..<(directory + 2 + count * 12 + 4)]
        result.replaceSubrange(4..<8, with: isBig ? start : start.reversed())
        return result
    }
}

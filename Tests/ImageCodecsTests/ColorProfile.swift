/// ICC profiles written byte by byte (ICC.1:2001-04).
enum ColorProfile {
    /// sRGB's primaries, with red and green changed for each other.
    static var swappedPrimaries: [UInt8] {
        profile(
            red: [0.3851, 0.7169, 0.0971], green: [0.4360, 0.2225, 0.0139], blue: [0.1431, 0.0606, 0.7141], curve: power
        )
    }

    /// sRGB itself (IEC 61966-2-1).
    static var sRGB: [UInt8] {
        profile(
            red: [0.4361, 0.2225, 0.0139], green: [0.3851, 0.7169, 0.0971], blue: [0.1431, 0.0606, 0.7141],
            curve: standard)
    }

    /// The exponent 2 + 51/256 = 2.19921875.
    static var power: [UInt8] { text("curv") + number(0) + number(1) + [0x02, 0x33, 0, 0] }

    /// sRGB's own curve, as a formula of type 3 (IEC 61966-2-1).
    static var standard: [UInt8] {
        text("para") + number(0) + [0, 3, 0, 0] + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
    }

    /// A profile of three colorants, adapted to D50, and one curve for all.
    static func profile(red: [Double], green: [Double], blue: [Double], curve: [UInt8]) -> [UInt8] {
        let colorants = [("rXYZ", red), ("gXYZ", green), ("bXYZ", blue)]
        let start = 128 + 4 + 6 * 12
        var table = number(6)
        var content: [UInt8] = []
        for (name, values) in colorants {
            table += text(name) + number(UInt32(start + content.count)) + number(20)
            content += text("XYZ ") + number(0) + values.flatMap(fixed)
        }
        for name in ["rTRC", "gTRC", "bTRC"] {
            table += text(name) + number(UInt32(start + content.count)) + number(UInt32(curve.count))
        }
        return header(count: start + content.count + curve.count) + table + content + curve
    }

    /// A profile of a press with four inks: the colour of each of the 16 mixtures of full inks, straight between them.
    ///
    /// A mixture's place is 8·cyan + 4·magenta + 2·yellow + black. The table is of type `lut8Type`, over L*a*b*.
    static func press(_ mixtures: [CIELab]) -> [UInt8] {
        let identity = (0...255).map { UInt8($0) }
        let matrix = (0..<9).flatMap { fixed($0 % 4 == 0 ? 1 : 0) }
        let nodes = mixtures.flatMap { color in
            [color.lightness * 2.55, color.a + 128, color.b + 128].map { UInt8(min(255, max(0, $0.rounded()))) }
        }
        let inputs = Array(repeating: identity, count: 4).flatMap(\.self)
        let outputs = Array(repeating: identity, count: 3).flatMap(\.self)
        let table = text("mft1") + number(0) + [4, 3, 2, 0] + matrix + inputs + nodes + outputs
        let intents = ["A2B0", "A2B1", "A2B2"]
        let start = 128 + 4 + 12 * intents.count
        let place = number(UInt32(start)) + number(UInt32(table.count))
        let tags = number(UInt32(intents.count)) + intents.flatMap { text($0) + place }
        return header(count: start + table.count, kind: text("prtr") + text("CMYK") + text("Lab ")) + tags + table
    }

    private static func header(count: Int, kind: [UInt8] = text("mntr") + text("RGB ") + text("XYZ ")) -> [UInt8] {
        let date: [UInt8] = [7, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
        let start = number(UInt32(count)) + number(0) + [2, 0x40, 0, 0] + kind + date + text("acsp")
        let white = [0.9642, 1.0, 0.8249].flatMap(fixed)
        let zeros = [UInt8](repeating: 0, count: 28)
        return start + zeros + white + [UInt8](repeating: 0, count: 48)
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func fixed(_ value: Double) -> [UInt8] {
        number(UInt32(bitPattern: Int32((value * 65_536).rounded())))
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
}

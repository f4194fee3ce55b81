import Raster

/// A colour as the terminal can show it behind or in front of text.
enum TextColor: Hashable, Sendable {
    case direct(Color)
    /// 0…255 of the 256-colour palette.
    case indexed(Int)
    /// 0…15 of the named colours.
    case named(Int)

    /// The nearest colour at a depth; nil where there is no colour.
    init?(_ color: Color, depth: ColorDepth) {
        switch depth {
        case .truecolor: self = .direct(color)
        case .palette256: self = .indexed(Self.nearestIndex(to: color))
        case .palette16: self = .named(Self.nearestName(to: color))
        case .none: return nil
        }
    }

    /// The parameters of `CSI … m` that choose it.
    func parameters(foreground: Bool) -> String {
        switch self {
        case .direct(let color): "\(foreground ? 38 : 48);2;\(color.red);\(color.green);\(color.blue)"
        case .indexed(let index): "\(foreground ? 38 : 48);5;\(index)"
        case .named(let name): "\((name < 8 ? 30 : 82) + name + (foreground ? 0 : 10))"
        }
    }

    /// The nearer of the nearest colour of the cube and the nearest grey.
    private static func nearestIndex(to color: Color) -> Int {
        let steps = [color.red, color.green, color.blue].map { nearestStep(to: Int($0)) }
        let cube = 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
        let cubeColor = Color(
            red: UInt8(cubeLevels[steps[0]]), green: UInt8(cubeLevels[steps[1]]), blue: UInt8(cubeLevels[steps[2]]))
        let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
        let grey = min(max((mean - 3) / 10, 0), 23)
        let level = UInt8(8 + 10 * grey)
        let greyColor = Color(red: level, green: level, blue: level)
        return greyColor.squaredDistance(to: color) < cubeColor.squaredDistance(to: color) ? 232 + grey : cube
    }

    private static let cubeLevels = [0, 95, 135, 175, 215, 255]

    private static func nearestStep(to value: Int) -> Int {
        cubeLevels.indices.min { abs(cubeLevels[$0] - value) < abs(cubeLevels[$1] - value) } ?? 0
    }

    private static func nearestName(to color: Color) -> Int {
        names.indices.min { names[$0].squaredDistance(to: color) < names[$1].squaredDistance(to: color) } ?? 0
    }

    /// The defaults of xterm's resources `color0` to `color15`.
    private static let names: [Color] = [
        Color(red: 0, green: 0, blue: 0), Color(red: 205, green: 0, blue: 0), Color(red: 0, green: 205, blue: 0),
        Color(red: 205, green: 205, blue: 0), Color(red: 0, green: 0, blue: 238), Color(red: 205, green: 0, blue: 205),
        Color(red: 0, green: 205, blue: 205), Color(red: 229, green: 229, blue: 229),
        Color(red: 127, green: 127, blue: 127), Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 255, blue: 0),
        Color(red: 255, green: 255, blue: 0), Color(red: 92, green: 92, blue: 255),
        Color(red: 255, green: 0, blue: 255), Color(red: 0, green: 255, blue: 255),
        Color(red: 255, green: 255, blue: 255),
    ]
}

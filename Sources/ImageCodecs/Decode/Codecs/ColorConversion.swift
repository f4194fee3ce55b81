import FoundationEssentials
import Glibc
import Raster

/// The chromaticities of a colour space: white, red, green and blue, each as x and y.
struct ColorPrimaries: Equatable {
    private let values: [Double]

    static let sRGB = ColorPrimaries(unchecked: d65 + [0.64, 0.33, 0.30, 0.60, 0.15, 0.06])
    private static let d65 = [0.3127, 0.3290]

    private init(unchecked values: [Double]) { self.values = values }

    /// Creates primaries from eight values; nil if they span no colour space.
    init?(_ values: [Double]) {
        self.init(unchecked: values)
        // Imaginary colours, such as the blue of ACES, have a negative y.
        guard values[1] > 0, [3, 5, 7].allSatisfy({ values[$0] != 0 }), let matrix = toXYZ,
            matrix.inverse != nil
        else { return nil }
    }

    /// Creates primaries from a code point.
    ///
    /// Source: ITU-T H.273, table 2.
    init?(codePoint: UInt8) {
        let (c, dci) = ([0.310, 0.316], [0.314, 0.351])
        switch codePoint {
        case 1: self = .sRGB
        case 4: self.init(unchecked: c + [0.67, 0.33, 0.21, 0.71, 0.14, 0.08])
        case 5: self.init(unchecked: Self.d65 + [0.64, 0.33, 0.29, 0.60, 0.15, 0.06])
        case 6, 7: self.init(unchecked: Self.d65 + [0.630, 0.340, 0.310, 0.595, 0.155, 0.070])
        case 8: self.init(unchecked: c + [0.681, 0.319, 0.243, 0.692, 0.145, 0.049])
        case 9: self.init(unchecked: Self.d65 + [0.708, 0.292, 0.170, 0.797, 0.131, 0.046])
        case 11: self.init(unchecked: dci + [0.680, 0.320, 0.265, 0.690, 0.150, 0.060])
        case 12: self.init(unchecked: Self.d65 + [0.680, 0.320, 0.265, 0.690, 0.150, 0.060])
        case 22: self.init(unchecked: Self.d65 + [0.630, 0.340, 0.295, 0.605, 0.155, 0.077])
        default: return nil
        }
    }

    /// Whether the values are the values of sRGB, apart from rounding in files and converters.
    var isSRGB: Bool { zip(values, Self.sRGB.values).allSatisfy { abs($0 - $1) < 0.002 } }

    private static func xyz(_ x: Double, _ y: Double) -> SIMD3<Double> { SIMD3(x / y, 1, (1 - x - y) / y) }

    private var white: SIMD3<Double> { Self.xyz(values[0], values[1]) }

    /// The matrix from linear RGB to CIE XYZ, whose white has a luminance of 1; nil if there is none.
    private var toXYZ: Matrix3? {
        let matrix = Matrix3(
            columns: Self.xyz(values[2], values[3]), Self.xyz(values[4], values[5]), Self.xyz(values[6], values[7]))
        return matrix.inverse.map { matrix.scaled($0.applied(to: white)) }
    }

    /// The part of red, green and blue in the luminance of white.
    var luminance: SIMD3<Double> { toXYZ?.row(1) ?? .zero }

    /// The matrix to linear sRGB, with a Bradford adaptation to its white; nil if there is none.
    ///
    /// Source of the adaptation: ICC.1:2022, annex E.
    var toSRGB: Matrix3? {
        let bradford = Matrix3(
            columns: SIMD3(0.8951, -0.7502, 0.0389), SIMD3(0.2664, 1.7135, -0.0685), SIMD3(-0.1614, 0.0367, 1.0296))
        guard let toXYZ, let fromXYZ = Self.sRGB.toXYZ?.inverse, let back = bradford.inverse else { return nil }
        let ratio = bradford.applied(to: Self.sRGB.white) / bradford.applied(to: white)
        let adaptation = back.scaled(ratio).times(bradford)
        return fromXYZ.times(adaptation).times(toXYZ)
    }
}

/// A matrix of three columns.
struct Matrix3: Equatable {
    private let columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(columns a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) { columns = (a, b, c) }

    static func == (left: Matrix3, right: Matrix3) -> Bool { left.columns == right.columns }

    func row(_ index: Int) -> SIMD3<Double> { SIMD3(columns.0[index], columns.1[index], columns.2[index]) }

    /// Returns the matrix with its columns multiplied by the elements of a vector.
    func scaled(_ factors: SIMD3<Double>) -> Matrix3 {
        Matrix3(columns: columns.0 * factors.x, columns.1 * factors.y, columns.2 * factors.z)
    }

    func applied(to vector: SIMD3<Double>) -> SIMD3<Double> {
        columns.0 * vector.x + columns.1 * vector.y + columns.2 * vector.z
    }

    func times(_ other: Matrix3) -> Matrix3 {
        Matrix3(
            columns: applied(to: other.columns.0), applied(to: other.columns.1), applied(to: other.columns.2))
    }

    /// The inverse; nil for a matrix that has none.
    var inverse: Matrix3? {
        let (a, b, c) = columns
        let (bc, ca, ab) = (Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
        let determinant = (a * bc).sum()
        guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
        return Matrix3(
            columns: SIMD3(bc.x, ca.x, ab.x) / determinant, SIMD3(bc.y, ca.y, ab.y) / determinant,
            SIMD3(bc.z, ca.z, ab.z) / determinant)
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}

/// The function from samples to linear light, in which 1 is white.
enum ColorTransfer: Equatable {
    case sRGB
    case power(Double)
    /// SMPTE ST 240.
    case video240
    /// SMPTE ST 428-1.
    case cinema
    /// SMPTE ST 2084, with white at 203 cd/m².
    case quantizer
    /// ARIB STD-B67: the light of the scene, which is displayed with a peak of 1000 cd/m².
    case hybrid

    /// The luminance of white in a picture of high dynamic range, in cd/m².
    ///
    /// Source: ITU-R BT.2408, section 2.1.
    static let referenceWhite = 203.0

    /// Creates a function from a code point.
    ///
    /// Pictures with the video transfer of BT.709, BT.601, BT.2020 or xvYCC are displayed with the gamma of BT.1886, as
    /// in Chromium.
    ///
    /// Source: ITU-T H.273, table 3; ITU-R BT.1886, annex 1.
    init?(codePoint: UInt8) {
        switch codePoint {
        case 13: self = .sRGB
        case 1, 6, 11, 14, 15: self = .power(2.4)
        case 4: self = .power(2.2)
        case 5: self = .power(2.8)
        case 7: self = .video240
        case 8: self = .power(1)
        case 16: self = .quantizer
        case 17: self = .cinema
        case 18: self = .hybrid
        default: return nil
        }
    }

    /// Returns the linear light of a sample from 0 to 1.
    ///
    /// Source: ITU-T H.273, table 3; ITU-R BT.2100, tables 4 and 5.
    func linear(_ sample: Double) -> Double {
        switch self {
        case .sRGB: return SRGBCurve.light(sample)
        case .power(let exponent): return pow(sample, exponent)
        case .video240: return sample < 0.0912 ? sample / 4 : pow((sample + 0.1115) / 1.1115, 1 / 0.45)
        case .cinema: return pow(sample, 2.6) * 52.37 / 48
        case .quantizer:
            let root = pow(sample, 32 / 2523.0)
            let light = max(0, root - 3424 / 4096.0) / (2413 / 128.0 - 2392 / 128.0 * root)
            return pow(light, 16384 / 2610.0) * 10_000 / Self.referenceWhite
        case .hybrid:
            let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
            return sample <= 0.5 ? sample * sample / 3 : (exp((sample - c) / a) + b) / 12
        }
    }
}

/// A conversion of RGBA samples to sRGB; light that sRGB cannot represent is clipped.
struct ColorConversion {
    /// The linear light of each sample.
    private let light: [Float]
    /// The sRGB sample of each sample; empty if the channels depend on each other.
    private let table: [UInt8]
    /// The matrix to linear sRGB, by columns.
    private let matrix: [SIMD3<Float>]
    /// The weights of the luminance for `ColorTransfer.hybrid`; nil for other functions.
    private let luminance: SIMD3<Float>?
    /// The compression of highlights; nil for pictures of standard dynamic range.
    private let toneMapping: ToneMapping?

    private static let steps = 65_535
    /// The sRGB sample of each of 65,536 steps of linear light.
    private static let encoded: [UInt8] = (0...steps).map { step in
        UInt8((SRGBCurve.sample(Double(step) / Double(steps)) * 255).rounded())
    }

    /// Creates a conversion; nil if the primaries span no colour space.
    ///
    /// - Parameter brightest: The luminance of the brightest pixel in cd/m² for a picture of high dynamic range; 1000
    ///   if it is nil.
    init?(_ primaries: ColorPrimaries, _ transfer: ColorTransfer, brightest: Double? = nil) {
        guard let matrix = primaries.toSRGB, (0..<3).allSatisfy({ matrix.row($0).isModerate }) else { return nil }
        light = (0...255).map { Float(transfer.linear(Double($0) / 255)) }
        self.matrix = (0..<3).map { column in
            SIMD3<Float>(matrix.applied(to: SIMD3((0..<3).map { $0 == column ? 1 : 0 })))
        }
        let weights = primaries.luminance
        luminance = transfer == .hybrid ? SIMD3<Float>(weights) : nil
        let isHDR = [.quantizer, .hybrid].contains(transfer)
        toneMapping = isHDR ? ToneMapping(peak: (brightest ?? 1000) / ColorTransfer.referenceWhite) : nil
        let isIndependent = primaries == .sRGB && !isHDR
        table = isIndependent ? light.map { Self.encoded[Int((min(1, $0) * Float(Self.steps)).rounded())] } : []
    }

    /// Creates the conversion of a video or a HEIF picture; nil if its colours are shown as sRGB.
    ///
    /// Only PQ and HLG differ from sRGB: the curves of other videos are made for the same displays.
    ///
    /// - Parameters:
    ///   - primaries: A code point of ITU-T H.273, table 2.
    ///   - transfer: A code point of ITU-T H.273, table 3.
    init?(primaries: Int32, transfer: Int32) {
        let curve: ColorTransfer = transfer == 16 ? .quantizer : transfer == 18 ? .hybrid : .sRGB
        let isWide = primaries == 9 || primaries == 11 || primaries == 12
        guard isWide || curve != .sRGB else { return nil }
        self.init(UInt8(exactly: primaries).flatMap(ColorPrimaries.init(codePoint:)) ?? .sRGB, curve)
    }

    /// Returns the name of a colour space that is stated by code points of ITU-T H.273.
    static func name(primaries: Int, transfer: Int) -> String {
        let known = [1: "BT.709", 9: "BT.2020", 12: "Display P3"][primaries] ?? "primaries \(primaries)"
        return switch transfer {
        case 13: primaries == 1 ? "sRGB" : known
        case 16: "\(known) PQ"
        case 18: "\(known) HLG"
        default: "\(known), transfer \(transfer)"
        }
    }

    /// Converts pixels in place; alpha is kept.
    func convert(_ pixels: UnsafeMutableRawBufferPointer) {
        if table.isEmpty { convertByMatrix(pixels) } else { convertByTable(pixels) }
    }

    private func convertByTable(_ pixels: UnsafeMutableRawBufferPointer) {
        table.withUnsafeBufferPointer { table in
            for place in stride(from: 0, to: pixels.count - 3, by: 4) {
                for channel in place..<place + 3 { pixels[channel] = table[Int(pixels[channel])] }
            }
        }
    }

    private func convertByMatrix(_ pixels: UnsafeMutableRawBufferPointer) {
        let (red, green, blue) = (matrix[0], matrix[1], matrix[2])
        let highest = Float(Self.steps)
        Self.encoded.withUnsafeBufferPointer { encoded in
            light.withUnsafeBufferPointer { light in
                for place in stride(from: 0, to: pixels.count - 3, by: 4) {
                    var color = SIMD3(
                        light[Int(pixels[place])], light[Int(pixels[place + 1])], light[Int(pixels[place + 2])])
                    if let luminance { color *= Self.displayFactor((color * luminance).sum()) }
                    if let toneMapping { color *= toneMapping.factor(color.max()) }
                    let linear = red * color.x + green * color.y + blue * color.z
                    let steps = (linear * highest).clamped(
                        lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: highest))
                    for channel in 0..<3 {
                        pixels[place + channel] = encoded[Int(steps[channel].rounded())]
                    }
                }
            }
        }
    }

    /// Returns the factor from the light of a scene to the light of a display, relative to white.
    ///
    /// Source: the opto-optical transfer function of ITU-R BT.2100, table 5, for a peak of 1000 cd/m².
    private static func displayFactor(_ luminance: Float) -> Float {
        powf(max(0, luminance), 0.2) * Float(1000 / ColorTransfer.referenceWhite)
    }
}

/// The compression of light brighter than white into the range of a display that shows no more than white.
///
/// Light up to white is dimmed by the factor w, the peak becomes white, and a quadratic Bézier curve joins them.
///
/// Source: the reference white tone mapping operator of the draft SMPTE ST 2094-50, which Chromium uses.
struct ToneMapping {
    /// The brightest light, relative to white.
    private let peak: Float
    private let dimming: Float

    /// Creates a mapping; nil if nothing is brighter than white.
    init?(peak: Double) {
        guard peak > 1, peak.isFinite else { return nil }
        self.peak = Float(peak)
        dimming = Float(1 - 0.5 * min(1, log(peak) / log(1000 / ColorTransfer.referenceWhite)))
    }

    /// Returns the factor for a colour whose largest element is `light`.
    func factor(_ light: Float) -> Float {
        guard light > 1 else { return dimming }
        guard light < peak else { return 1 / light }
        // The curve from (1, w) by (a, b) to (peak, 1): x(t) = light is solved for t.
        let (a, b) = (0.35 + 0.65 / dimming, 0.35 * dimming + 0.65)
        let (square, linear) = (1 - 2 * a + peak, 2 * (a - 1))
        let root = (linear * linear + 4 * square * (light - 1)).squareRoot()
        let t = abs(square) < 1e-6 ? (light - 1) / linear : (root - linear) / (2 * square)
        let rest = 1 - t
        return (rest * rest * dimming + 2 * rest * t * b + t * t) / light
    }
}

extension SIMD3<Double> {
    /// Whether no element is infinite, undefined or too large for the conversion of pixels.
    fileprivate var isModerate: Bool { (0..<3).allSatisfy { abs(self[$0]) < 1e6 } }
}

/// The colour space of an AVIF, HEIC or JPEG XL file that libvips does not convert to sRGB.
struct StatedColors {
    let name: String
    let conversion: ColorConversion

    /// Reads the colour space; nil if the colours are shown as sRGB or by their profile.
    ///
    /// The first `nclx` box of a HEIF file is that of the main picture in practice. Of the profiles that libjxl makes,
    /// those of PQ and HLG map white to 10,000 cd/m².
    ///
    /// Source: ISO/IEC 14496-12, section 12.1.5 (`colr`, type `nclx`); libjxl 0.7, `ColorEncodingDescription`.
    ///
    /// - Parameter profile: The name of the ICC profile that libvips found.
    init?(_ file: UnsafeRawBufferPointer, _ format: ImageFormat, profile: String?) {
        let codes: (primaries: Int, transfer: Int)?
        switch format {
        case .avif, .heic:
            let view = ByteView(bytes: UnsafeRawBufferPointer(rebasing: file.prefix(1 << 16)))
            guard profile == nil, let place = view.bytes.firstRange(of: Array("colrnclx".utf8))?.upperBound else {
                return nil
            }
            codes = view.number(at: place, bytes: 2).flatMap { primaries in
                view.number(at: place + 2, bytes: 2).map { (primaries, $0) }
            }
        case .jpegXL:
            let parts = (profile ?? "").split(separator: "_")
            guard parts.count > 3, let transfer = parts.last.flatMap({ ["PeQ": 16, "HLG": 18][$0] }) else { return nil }
            // The name of a grey picture has no primaries.
            codes = (["202": 9, "DCI": 12][parts[2]] ?? 1, transfer)
        default: return nil
        }
        guard let codes,
            let conversion = ColorConversion(primaries: Int32(codes.primaries), transfer: Int32(codes.transfer))
        else { return nil }
        name = ColorConversion.name(primaries: codes.primaries, transfer: codes.transfer)
        self.conversion = conversion
    }
}

/// The transfer functions of sRGB, from 0 for black to 1 for white.
///
/// Source: IEC 61966-2-1.
enum SRGBCurve {
    /// Returns the linear light of a sample.
    static func light(_ sample: Double) -> Double {
        sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    }

    /// Returns the sample of linear light.
    static func sample(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

/// Source: ICC.1:2022, sections 7 and 10; the primaries are those of IEC 61966-2-1, adapted to D50.
extension ICCProfile {
    private static let standardPrimaries = [
        ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]), ("bXYZ", [0.1431, 0.0606, 0.7141]),
    ]

    /// Whether the profile describes sRGB, so that its picture needs no conversion.
    var isSRGB: Bool {
        guard view.has("RGB XYZ ", at: 16), tag("A2B0") == nil else { return false }
        let hasPrimaries = Self.standardPrimaries.allSatisfy { name, wanted in
            guard let color = tag(name).flatMap(color) else { return false }
            return zip(color, wanted).allSatisfy { abs($0 - $1) < 0.002 }
        }
        return hasPrimaries && ["rTRC", "gTRC", "bTRC"].allSatisfy { tag($0).map(isStandardCurve) ?? false }
    }

    private func color(_ tag: ByteView) -> [Double]? {
        let values = [8, 12, 16].compactMap { Self.fixed(tag, at: $0) }
        return values.count == 3 ? values : nil
    }

    /// Reads a signed fixed-point number with 16 integer and 16 fractional bits.
    private static func fixed(_ tag: ByteView, at offset: Int) -> Double? {
        tag.number(at: offset, bytes: 4).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }

    private func isStandardCurve(_ tag: ByteView) -> Bool {
        (0...16).allSatisfy { step in
            let value = Double(step) / 16
            return Self.value(of: tag, at: value).map { abs($0 - SRGBCurve.light(value)) < 0.002 } ?? false
        }
    }

    private static func value(of tag: ByteView, at place: Double) -> Double? {
        if tag.has("para", at: 0) { return parametric(tag, at: place) }
        guard tag.has("curv", at: 0), let count = tag.number(at: 8, bytes: 4), count > 1 else { return nil }
        let position = place * Double(count - 1)
        let index = min(Int(position), count - 2)
        guard let below = tag.number(at: 12 + index * 2, bytes: 2),
            let above = tag.number(at: 14 + index * 2, bytes: 2)
        else { return nil }
        return (Double(below) + Double(above - below) * (position - Double(index))) / 65_535
    }

    /// Evaluates function type 3: (a·x + b)^g for x ≥ d, and c·x below.
    private static func parametric(_ tag: ByteView, at place: Double) -> Double? {
        let parameters = (0..<5).compactMap { fixed(tag, at: 12 + $0 * 4) }
        guard tag.number(at: 8, bytes: 2) == 3, parameters.count == 5 else { return nil }
        let (g, a, b, c, d) = (parameters[0], parameters[1], parameters[2], parameters[3], parameters[4])
        return place >= d ? pow(a * place + b, g) : c * place
    }
}

import Foundation

/// Facts about how a picture was taken, from its EXIF data; nil where the file states nothing.
///
/// Texts are returned as the file states them: sanitize them before display.
///
/// Source: Exif 2.32, sections 4.6.4 to 4.6.6.
public struct CaptureFacts: Sendable, Hashable {
    /// The manufacturer and the model.
    public var camera: String?
    public var lens: String?
    /// The time of capture in the camera's local time, such as `2026:07:14 18:30:05`.
    public var taken: String?
    /// The exposure time in seconds.
    public var exposureTime: Double?
    /// The f-number, such as 2.8.
    public var aperture: Double?
    /// The sensitivity according to ISO 12232.
    public var sensitivity: Int?
    /// The focal length in millimetres.
    public var focalLength: Double?
    public var description: String?
    public var artist: String?
    public var copyright: String?
    public var software: String?
    /// The latitude in degrees, as is the longitude; north and east are positive.
    public var latitude: Double?
    public var longitude: Double?

    /// Reads the facts of a JPEG, PNG, WebP or TIFF file; all are nil for other data.
    public init(file: Data) {
        file.withUnsafeBytes { bytes in
            guard let format = FormatSniffer.format(of: bytes), let exif = ExifBlock.find(in: bytes, format),
                let directory = ExifDirectory(exif: exif)
            else { return }
            read(directory)
        }
    }

    private mutating func read(_ main: ExifDirectory) {
        camera = Self.camera(maker: main.text(0x010F), model: main.text(0x0110))
        description = main.text(0x010E)
        software = main.text(0x0131)
        artist = main.text(0x013B)
        copyright = main.text(0x8298)
        if let exposure = main.directory(0x8769) { readExposure(exposure) }
        if let place = main.directory(0x8825) {
            latitude = Self.degrees(place.fractions(0x0002), isNegative: place.text(0x0001) == "S", limit: 90)
            longitude = Self.degrees(place.fractions(0x0004), isNegative: place.text(0x0003) == "W", limit: 180)
        }
    }

    private mutating func readExposure(_ exposure: ExifDirectory) {
        taken = exposure.text(0x9003)
        exposureTime = exposure.fractions(0x829A)?.first
        aperture = exposure.fractions(0x829D)?.first
        sensitivity = exposure.number(0x8827)
        focalLength = exposure.fractions(0x920A)?.first
        lens = exposure.text(0xA434)
    }

    /// Joins manufacturer and model, unless the model already begins with the manufacturer's name.
    private static func camera(maker: String?, model: String?) -> String? {
        guard let maker, let model else { return model ?? maker }
        let name = maker.split(separator: " ").first ?? ""
        return model.lowercased().hasPrefix(name.lowercased()) ? model : "\(maker) \(model)"
    }

    /// Converts degrees, minutes and seconds to degrees; nil if the result exceeds `limit`.
    private static func degrees(_ parts: [Double]?, isNegative: Bool, limit: Double) -> Double? {
        guard let parts, parts.count == 3 else { return nil }
        let value = parts[0] + parts[1] / 60 + parts[2] / 3600
        return value <= limit ? (isNegative ? -value : value) : nil
    }
}

import Raster

/// A writer for PPM files, format P6 (netpbm's ppm(5)); transparent pixels are blended with black.
enum PortablePixmap {
    static func bytes(of picture: PixelBuffer) -> [UInt8] {
        var result = Array("P6\n\(picture.size.width) \(picture.size.height)\n255\n".utf8)
        result.reserveCapacity(result.count + picture.size.area * 3)
        for offset in stride(from: 0, to: picture.bytes.count, by: 4) {
            let alpha = Int(picture.bytes[offset + 3])
            for channel in 0..<3 { result.append(UInt8((Int(picture.bytes[offset + channel]) * alpha + 127) / 255)) }
        }
        return result
    }
}

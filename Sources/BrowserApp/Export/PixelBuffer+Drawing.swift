import Raster

extension PixelBuffer {
    /// Draws a picture in the middle of an area, over a colour where the picture is transparent; what lies outside the
    /// area or the buffer is cut.
    mutating func draw(
        _ picture: PixelBuffer, centeredIn area: PixelSize, left: Int, top: Int, over background: Color
    ) {
        let column = max(0, left + max(0, (area.width - picture.size.width) / 2))
        let row = max(0, top + max(0, (area.height - picture.size.height) / 2))
        let columns = min(picture.size.width, area.width, size.width - column)
        let rows = min(picture.size.height, area.height, size.height - row)
        guard columns > 0, rows > 0 else { return }
        let stride = size.width * 4
        withMutableBytes { target in
            for line in 0..<rows {
                var source = line * picture.size.width * 4
                var offset = (row + line) * stride + column * 4
                for _ in 0..<columns {
                    let alpha = Int(picture.bytes[source + 3])
                    func mixed(_ value: UInt8, _ ground: UInt8) -> UInt8 {
                        UInt8((Int(value) * alpha + Int(ground) * (255 - alpha) + 127) / 255)
                    }
                    target[offset] = mixed(picture.bytes[source], background.red)
                    target[offset + 1] = mixed(picture.bytes[source + 1], background.green)
                    target[offset + 2] = mixed(picture.bytes[source + 2], background.blue)
                    target[offset + 3] = 255
                    source += 4
                    offset += 4
                }
            }
        }
    }
}

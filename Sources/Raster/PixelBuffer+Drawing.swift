extension PixelBuffer {
    /// Copies a picture to the middle of an area, clipped to the size of this one.
    package mutating func draw(_ picture: PixelBuffer, centeredIn area: PixelSize, left: Int, top: Int) {
        let column = left + max(0, (area.width - picture.size.width) / 2)
        let row = top + max(0, (area.height - picture.size.height) / 2)
        draw(picture, x: max(0, column), y: max(0, row))
    }

    /// Copies a picture into this one, clipped to its size.
    package mutating func draw(_ picture: PixelBuffer, x: Int, y: Int) {
        let (left, top) = (max(0, -x), max(0, -y))
        let (right, bottom) = (min(picture.size.width, size.width - x), min(picture.size.height, size.height - y))
        guard left < right, top < bottom else { return }
        let width = size.width
        withMutableBytes { bytes in
            picture.bytes.withUnsafeBytes { source in
                for row in top..<bottom {
                    let (from, to) = ((row * picture.size.width + left) * 4, ((y + row) * width + x + left) * 4)
                    for offset in 0..<(right - left) * 4 { bytes[to + offset] = source[from + offset] }
                }
            }
        }
    }
}

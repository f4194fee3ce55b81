import Raster

extension PixelBuffer {
    /// The picture in the middle of `target`, cropped or with the background around it; itself when sizes are equal.
    func centered(in target: PixelSize, over background: Color) -> PixelBuffer {
        guard size != target else { return self }
        var result = PixelBuffer(size: target, filledWith: background)
        let columns = min(size.width, target.width)
        let (sourceLeft, left) = ((size.width - columns) / 2, (target.width - columns) / 2)
        let rows = min(size.height, target.height)
        let (sourceTop, top) = ((size.height - rows) / 2, (target.height - rows) / 2)
        result.withMutableBytes { output in
            for row in 0..<rows {
                let source = ((sourceTop + row) * size.width + sourceLeft) * 4
                let start = ((top + row) * target.width + left) * 4
                for offset in 0..<columns * 4 { output[start + offset] = bytes[source + offset] }
            }
        }
        return result
    }
}

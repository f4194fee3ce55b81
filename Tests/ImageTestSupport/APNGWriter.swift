import Foundation
import Raster

/// An animated PNG written chunk by chunk (W3C PNG, third edition), and what it must look like.
package struct APNGWriter {
    package struct Frame {
        package var left = 0
        package var top = 0
        package var delay: (number: UInt16, unit: UInt16) = (1, 25)
        package var disposal: UInt8 = 0
        package var blending: UInt8 = 0
        /// The number of fdAT chunks.
        package var pieces = 1
        package var picture: PixelBuffer

        package init(
            left: Int = 0, top: Int = 0, delay: (number: UInt16, unit: UInt16) = (1, 25), disposal: UInt8 = 0,
            blending: UInt8 = 0, pieces: Int = 1, picture: PixelBuffer
        ) {
            (self.left, self.top, self.delay, self.disposal) = (left, top, delay, disposal)
            (self.blending, self.pieces, self.picture) = (blending, pieces, picture)
        }
    }

    package var width: Int
    package var height: Int
    package var plays: UInt32 = 0
    /// The number of frames in the acTL chunk; that of `frames` when nil.
    package var count: UInt32?
    /// The default image when it is no frame.
    package var defaultImage: PixelBuffer?
    /// Chunks between the header and the acTL chunk.
    package var head: [UInt8] = []
    /// 8 or 16 bits per channel.
    package var depth: UInt8 = 8
    package var frames: [Frame]
    /// Changes the content of a chunk, given its name and its place among all chunks after the header.
    package var change: (String, Int, [UInt8]) -> [UInt8] = { _, _, content in content }

    package init(
        width: Int, height: Int, plays: UInt32 = 0, count: UInt32? = nil, defaultImage: PixelBuffer? = nil,
        head: [UInt8] = [], depth: UInt8 = 8, frames: [Frame],
        change: @escaping (String, Int, [UInt8]) -> [UInt8] = { _, _, content in content }
    ) {
        (self.width, self.height, self.plays, self.count) = (width, height, plays, count)
        (self.defaultImage, self.head, self.depth, self.frames) = (defaultImage, head, depth, frames)
        self.change = change
    }

    package var data: Data {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += PNGFile.chunk("IHDR", Self.four(width) + Self.four(height) + [depth, 6, 0, 0, 0]) + head
        for (place, chunk) in chunks.enumerated() {
            file += PNGFile.chunk(chunk.name, change(chunk.name, place, chunk.content))
        }
        return Data(file + PNGFile.chunk("IEND", []))
    }

    private var chunks: [(name: String, content: [UInt8])] {
        var chunks = [("acTL", Self.four(Int(count ?? UInt32(frames.count))) + Self.four(Int(plays)))]
        if let defaultImage { chunks.append(("IDAT", packed(defaultImage))) }
        var sequence = 0
        for (index, frame) in frames.enumerated() {
            chunks.append(("fcTL", Self.four(sequence) + Self.control(frame)))
            sequence += 1
            if index == 0, defaultImage == nil {
                chunks.append(("IDAT", packed(frame.picture)))
            } else {
                let content = packed(frame.picture)
                let size = (content.count + frame.pieces - 1) / frame.pieces
                for start in stride(from: 0, to: content.count, by: size) {
                    let piece = content[start..<min(content.count, start + size)]
                    chunks.append(("fdAT", Self.four(sequence) + piece))
                    sequence += 1
                }
            }
        }
        return chunks
    }

    /// The picture of each frame, composed in floating point after section 11.3.6.
    package var pictures: [PixelBuffer] {
        let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
        var canvas = PixelBuffer(size: PixelSize(width: width, height: height), filledWith: clear)
        return frames.enumerated().map { index, frame in
            let before = canvas
            each(frame) { x, y, color in
                canvas[x, y] = frame.blending == 0 ? color : Self.over(color, canvas[x, y])
            }
            let shown = canvas
            // Before the first frame there is nothing, so restoring is clearing.
            if frame.disposal == 1 { each(frame) { x, y, _ in canvas[x, y] = clear } }
            if frame.disposal == 2 { canvas = before }
            return shown
        }
    }

    private func each(_ frame: Frame, _ body: (Int, Int, Color) -> Void) {
        for y in 0..<frame.picture.size.height {
            for x in 0..<frame.picture.size.width { body(frame.left + x, frame.top + y, frame.picture[x, y]) }
        }
    }

    private static func over(_ above: Color, _ below: Color) -> Color {
        if above.alpha == 0 { return below }
        let (a, b) = (Double(above.alpha) / 255, Double(below.alpha) / 255)
        let alpha = a + b * (1 - a)
        func mixed(_ front: UInt8, _ back: UInt8) -> UInt8 {
            UInt8(((Double(front) * a + Double(back) * b * (1 - a)) / alpha).rounded())
        }
        return Color(
            red: mixed(above.red, below.red), green: mixed(above.green, below.green),
            blue: mixed(above.blue, below.blue), alpha: UInt8((alpha * 255).rounded()))
    }

    private static func control(_ frame: Frame) -> [UInt8] {
        let size = frame.picture.size
        let numbers = [size.width, size.height, frame.left, frame.top].flatMap(four)
        let delay = [frame.delay.number, frame.delay.unit].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return numbers + delay + [frame.disposal, frame.blending]
    }

    private func packed(_ picture: PixelBuffer) -> [UInt8] {
        let samples = depth == 16 ? picture.bytes.flatMap { [$0, $0] } : picture.bytes
        let rowBytes = picture.size.width * 4 * Int(depth) / 8
        let rows = stride(from: 0, to: samples.count, by: rowBytes).flatMap { [0] + samples[$0..<$0 + rowBytes] }
        return PNGFile.zlib(rows)
    }

    package static func four(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> ($0 * 8) & 255) } }

    /// `count` small pictures that differ; beyond the first, frames draw a part of the canvas only.
    package static func moving(_ count: Int, width: Int = 24, height: Int = 16) -> APNGWriter {
        let frames = (0..<count).map { number in
            let (w, h) = number == 0 ? (width, height) : (max(1, width / 3), max(1, height / 2))
            var picture = PixelBuffer(size: PixelSize(width: w, height: h), filledWith: .black)
            for y in 0..<h {
                for x in 0..<w {
                    picture[x, y] = Color(
                        red: UInt8((x * 11 + number * 31) % 256), green: UInt8((y * 17 + number * 5) % 256),
                        blue: UInt8(number * 7 % 256), alpha: UInt8([255, 0, 128, 77][(x + y + number) % 4]))
                }
            }
            return Frame(
                left: number == 0 ? 0 : number % (width - w + 1), top: number == 0 ? 0 : number * 5 % (height - h + 1),
                delay: (UInt16(2 + number % 9), 100), disposal: UInt8(number % 3), blending: UInt8(number / 3 % 2),
                pieces: 1 + number % 4, picture: picture)
        }
        return APNGWriter(width: width, height: height, frames: frames)
    }
}

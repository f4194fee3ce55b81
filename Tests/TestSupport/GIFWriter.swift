import Foundation
import Raster

/// A GIF written byte by byte (GIF89a specification), and what it must look like.
package struct GIFWriter {
    package struct Frame {
        package var left: Int
        package var top: Int
        package var width: Int
        package var height: Int
        /// Hundredths of a second.
        package var delay: UInt16
        package var disposal: UInt8
        package var transparent: UInt8?
        package var isInterlaced: Bool
        /// Its own colours; the file's when empty.
        package var palette: [Color]
        /// Rows from the top.
        package var indices: [UInt8]

        package init(
            left: Int = 0, top: Int = 0, width: Int, height: Int, delay: UInt16 = 4, disposal: UInt8 = 1,
            transparent: UInt8? = nil, isInterlaced: Bool = false, palette: [Color] = [], indices: [UInt8]
        ) {
            (self.left, self.top, self.width, self.height) = (left, top, width, height)
            (self.delay, self.disposal, self.transparent) = (delay, disposal, transparent)
            (self.isInterlaced, self.palette, self.indices) = (isInterlaced, palette, indices)
        }
    }

    package var width: Int
    package var height: Int
    /// The loop extension's number; no extension when nil.
    package var loop: UInt16?
    /// At most 128.
    package var palette: [Color]
    package var frames: [Frame]

    package init(width: Int, height: Int, loop: UInt16? = nil, palette: [Color] = spread, frames: [Frame]) {
        (self.width, self.height, self.loop) = (width, height, loop)
        (self.palette, self.frames) = (palette, frames)
    }

    /// 128 colours that differ.
    package static let spread: [Color] = (0..<128).map { (index: UInt8) -> Color in
        Color(red: index * 2, green: 255 - index, blue: index)
    }

    package var data: Data {
        var file = Array("GIF89a".utf8) + Self.number(width) + Self.number(height)
        file += [0xF6, 0, 0] + Self.table(palette)
        if let loop {
            let name: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8)
            file += name + [3, 1] + Self.number(Int(loop)) + [0]
        }
        for frame in frames { file += Self.block(frame) }
        return Data(file + [0x3B])
    }

    /// What each frame shows, composed independently: colours by position, nil where nothing was drawn.
    package var pictures: [PixelBuffer] {
        var canvas = [Color?](repeating: nil, count: width * height)
        return frames.map { frame in
            let before = canvas
            let colors = frame.palette.isEmpty ? palette : frame.palette
            for (place, index) in frame.indices.enumerated() where index != frame.transparent {
                let (x, y) = (frame.left + place % frame.width, frame.top + place / frame.width)
                if x < width, y < height { canvas[y * width + x] = colors[Int(index)] }
            }
            let shown = canvas
            if [3, 4].contains(frame.disposal) { canvas = before }
            if frame.disposal == 2 {
                for y in frame.top..<min(height, frame.top + frame.height) {
                    for x in frame.left..<min(width, frame.left + frame.width) { canvas[y * width + x] = nil }
                }
            }
            return Self.buffer(shown, PixelSize(width: width, height: height))
        }
    }

    private static func buffer(_ colors: [Color?], _ size: PixelSize) -> PixelBuffer {
        let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
        var buffer = PixelBuffer(size: size, filledWith: clear)
        for (place, color) in colors.enumerated() { buffer[place % size.width, place / size.width] = color ?? clear }
        return buffer
    }

    private static func block(_ frame: Frame) -> [UInt8] {
        var block: [UInt8] = [0x21, 0xF9, 4, frame.disposal << 2 | (frame.transparent == nil ? 0 : 1)]
        block += number(Int(frame.delay)) + [frame.transparent ?? 0, 0, 0x2C]
        for value in [frame.left, frame.top, frame.width, frame.height] { block += number(value) }
        block.append((frame.palette.isEmpty ? 0 : 0x86) | (frame.isInterlaced ? 0x40 : 0))
        if !frame.palette.isEmpty { block += table(frame.palette) }
        return block + codes(frame)
    }

    /// Codes of eight bits: with 128 colours they have eight until the table holds 256, and a clear comes before that.
    private static func codes(_ frame: Frame) -> [UInt8] {
        var codes: [UInt8] = []
        for (place, index) in rows(frame).enumerated() {
            if place % 100 == 0 { codes.append(128) }
            codes.append(index)
        }
        codes.append(129)
        var blocks: [UInt8] = [7]
        for start in stride(from: 0, to: codes.count, by: 255) {
            let part = codes[start..<min(codes.count, start + 255)]
            blocks += [UInt8(part.count)] + part
        }
        return blocks + [0]
    }

    private static func rows(_ frame: Frame) -> [UInt8] {
        guard frame.isInterlaced else { return frame.indices }
        let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]
        let order = passes.flatMap { Array(stride(from: $0.0, to: frame.height, by: $0.1)) }
        return order.flatMap { frame.indices[$0 * frame.width..<($0 + 1) * frame.width] }
    }

    private static func table(_ colors: [Color]) -> [UInt8] {
        let padded = colors + Array(repeating: Color.black, count: 128 - colors.count)
        return padded.flatMap { [$0.red, $0.green, $0.blue] }
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    /// `count` small pictures that differ; beyond the first, frames draw a part of the canvas only.
    package static func moving(_ count: Int, width: Int = 24, height: Int = 16, loop: UInt16? = 0) -> GIFWriter {
        let frames = (0..<count).map { number in
            let (w, h) = number == 0 ? (width, height) : (max(1, width / 3), max(1, height / 2))
            let indices = (0..<w * h).map { UInt8(($0 * 3 + number * 7 + number / 128) % 128) }
            return Frame(
                left: number == 0 ? 0 : number % (width - w + 1), top: number == 0 ? 0 : number * 5 % (height - h + 1),
                width: w, height: h, delay: UInt16(2 + number % 9), indices: indices)
        }
        return GIFWriter(width: width, height: height, loop: loop, frames: frames)
    }
}

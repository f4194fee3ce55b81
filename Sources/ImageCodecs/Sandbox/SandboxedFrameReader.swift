import Foundation
import Raster

/// A reader of an animation's frames that are decoded in a helper process, which the reader keeps.
final class SandboxedFrameReader: FrameReading {
    private let helper: HelperProcess
    private let size: PixelSize
    private let file: Data
    private let limits: DecodeLimits

    /// Opens an animation.
    ///
    /// - Parameters:
    ///   - animation: The animation.
    ///   - box: The box that frames are scaled down to fit; nil keeps their size.
    ///   - size: The size of the scaled frames.
    ///   - limits: The limits that the animation must keep to.
    ///   - decoder: The decoder whose settings the helper has.
    init(
        _ animation: Animation, within box: PixelSize?, size: PixelSize, limits: DecodeLimits,
        _ decoder: SandboxedDecoder
    ) throws(CodecError) {
        (self.size, self.limits, file) = (size, limits, animation.file)
        do throws(HelperProcess.Failure) {
            helper = try HelperProcess(decoder.settings(limits))
        } catch {
            throw SandboxedDecoder.error(error, of: animation.file)
        }
        _ = try perform(HelperRequest(.openAnimation, box: box, limits: limits), file)
    }

    func frame(at index: Int) throws(CodecError) -> PixelBuffer {
        let result = try perform(HelperRequest(.frame(index), limits: limits), nil)
        guard case .picture(let picture) = result.reply, picture.size == size,
            let pixels = result.memory?.pixels(at: 0, size: size)
        else { throw SandboxedDecoder.error(.malformed, of: file) }
        return pixels
    }

    private func perform(_ request: HelperRequest, _ data: Data?) throws(CodecError) -> HelperProcess.Result {
        let result: HelperProcess.Result
        do throws(HelperProcess.Failure) {
            result = try helper.perform(request, on: data)
        } catch {
            throw SandboxedDecoder.error(error, of: file)
        }
        if case .failure(let error) = result.reply { throw error }
        return result
    }
}

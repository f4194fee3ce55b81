import FoundationEssentials
import Raster

/// An error from decoding, processing or encoding a picture.
public enum CodecError: Error, Sendable, Equatable {
    /// Decoding, processing or encoding failed for this reason.
    case processor(ProcessorReason)
    /// The bytes are not a picture in a supported format; the text names what they look like.
    case notAnImage(String)
    /// The work was cancelled.
    case cancelled

    /// The reason that a codec or a processor failed; each case has a code from 4001 to 4106.
    public enum ProcessorReason: Sendable, Equatable {
        /// The processor with this identifier failed; the text gives the reason.
        case processingFailed(identifier: String, String)
        /// The bytes are damaged or incomplete; the text gives the reason.
        case decodingFailed(format: String, String)
        /// The picture exceeds a limit; the text names the limit and the value.
        case limitExceeded(String)
        /// The file is incomplete or corrupt, but some of its pixels can be decoded.
        case damaged(format: String, PictureDamage)
        /// This version has no decoder for the file; the text gives the reason.
        case decoderUnavailable(String)
        /// A fault of this machine, not of the file: a missing library, no memory, a helper process that cannot run.
        /// The text gives the reason.
        case environment(String)
    }
}

extension CodecError {
    /// Returns the error for a file that cannot be decoded.
    package static func damaged(_ format: ImageFormat, _ reason: String) -> CodecError {
        damaged(format.rawValue, reason)
    }

    package static func damaged(_ format: String, _ reason: String) -> CodecError {
        .processor(.decodingFailed(format: format, reason))
    }

    /// The words with which libraries refuse files of a kind that they do not read.
    private static let unsupported = [
        "unsupported", "not supported", "notsupported", "not implemented", "unrecognized compression",
        // Items of HEIC files that are derived from others (`iden`), or of kinds that libheif leaves out.
        "has no compressed data", "references a non-existing image",
    ]

    /// Returns the error for a file that a library refused: its reason may be a limit, or what this machine lacks.
    static func refused(_ format: ImageFormat, _ reason: String) -> CodecError {
        let text = reason.lowercased()
        if text.contains("encrypted") {
            return .processor(.decoderUnavailable("\(format.rawValue) needs a password, and none can be given"))
        }
        if format == .pdf, text.contains("pages out of range") { return damaged(format, "it has no pages") }
        func says(_ words: [String]) -> Bool { words.contains(where: text.contains) }
        if says(["unable to write", "unable to create", "no space left", "too many open files"]) {
            return .processor(.environment("\(format.rawValue) cannot be decoded: \(reason)"))
        }
        if says(["limit exceeded", "exceeds limit", "exceeds the limit", "resources exhausted", "memory allocation"]) {
            return .processor(.limitExceeded("its decoder says: \(reason)"))
        }
        // libjpeg reports a damaged marker as an unsupported one.
        if format != .jpeg, says(Self.unsupported) {
            return .processor(.decoderUnavailable("\(format.rawValue) of this kind is not read: \(reason)"))
        }
        return damaged(format, reason)
    }
}

extension CodecError: LocalizedError {
    /// A short message for a column or a heading.
    package var title: String {
        switch self {
        case .processor(let reason): reason.title
        case .notAnImage(let appearance): "not an image: \(appearance)"
        case .cancelled: "cancelled"
        }
    }

    public var errorDescription: String? { title }
}

extension CodecError.ProcessorReason {
    package var code: Int {
        switch self {
        case .processingFailed: 4001
        case .decodingFailed: 4101
        case .limitExceeded: 4102
        case .decoderUnavailable: 4103
        case .environment: 4106
        case .damaged(_, .corrupt): 4105
        case .damaged: 4104
        }
    }

    package var title: String {
        switch self {
        case .processingFailed(let identifier, let why): "\(identifier): \(why)"
        case .decodingFailed(let format, let why): "damaged \(format): \(why)"
        case .limitExceeded(let what): "too large: \(what)"
        case .decoderUnavailable(let why), .environment(let why): why
        case .damaged(let format, let damage): "\(format) \(damage.title)"
        }
    }
}

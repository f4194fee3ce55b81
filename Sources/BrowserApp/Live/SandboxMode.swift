import ImageLoading

/// The choice of processes that decode pictures.
package enum SandboxMode: String, Sendable, CaseIterable {
    /// Helper processes, with the protections that the kernel has.
    case auto
    /// Helper processes; decoding fails if the kernel lacks a protection.
    case required
    /// The program's own process, without protection; for debugging and for systems that cannot start helpers.
    case off

    /// Creates the decoder; for `off` it also allows decoding in this process.
    func makeDecoder() -> any ImageDecoding {
        switch self {
        case .auto: return SandboxedDecoder()
        case .required:
            ArchiveReader.requireAllProtections()
            return SandboxedDecoder(isRequired: true)
        case .off:
            InProcessDecoding.allow()
            return CodecDecoder()
        }
    }

    /// Starts a decoder process ahead of the first picture.
    func prepare(_ limits: DecodeLimits) {
        if self != .off { SandboxedDecoder(isRequired: self == .required).prepare(limits: limits) }
    }
}

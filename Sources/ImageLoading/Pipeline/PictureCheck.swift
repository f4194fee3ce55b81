import Foundation
import Raster

extension FormatSniffer {
    /// Returns a check whether a body is an image of an accepted format; nil if any body is accepted.
    static func check(accepting formats: Set<ImageFormat>?) -> BodyCheck? {
        guard let formats else { return nil }
        return { bytes, isWhole in
            switch judge(bytes, isWhole: isWhole) {
            case .format(let format): formats.contains(format) ? .accepted : .notAccepted(format.rawValue)
            case .undecided: .undecided
            case .refused(let appearance): .refused(appearance)
            }
        }
    }
}

extension DownloadRequest {
    /// Creates a request for an image; a body of another format stops the transfer at its first bytes.
    package static func picture(_ url: URL, headers: [HeaderField] = []) -> DownloadRequest {
        var request = DownloadRequest(url: url, headers: headers)
        request.bodyCheck = FormatSniffer.check(accepting: Set(ImageFormat.allCases))
        return request
    }
}

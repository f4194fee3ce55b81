import Foundation

extension FormatSniffer {
    /// Checks whether a body is an image of an accepted format.
    @Sendable static func check(_ bytes: Data, isWhole: Bool) -> BodyVerdict {
        switch judge(bytes, isWhole: isWhole) {
        case .format: .accepted
        case .undecided: .undecided
        case .refused(let appearance): .refused(appearance)
        }
    }
}

extension DownloadRequest {
    /// Creates a request for an image; a body of another format stops the transfer at its first bytes.
    public static func picture(_ url: URL, headers: [(name: String, value: String)] = []) -> DownloadRequest {
        var request = DownloadRequest(url: url, headers: headers)
        request.bodyCheck = FormatSniffer.check
        return request
    }
}

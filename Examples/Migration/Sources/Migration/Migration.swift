import Foundation

/// Uses each capability of Kingfisher, SwiftRetrier and ExponentialBackOff once, as their users write it.
@main
struct Migration {
    @MainActor
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: Migration SERVER FOLDER")
            exit(2)
        }
        let checks = Checks(base: arguments[1], folder: URL(filePath: arguments[2]))
        await kingfisher(checks)
        await kingfisherInside(checks)
        await swiftRetrier(checks)
        await exponentialBackOff(checks)
        print("\(checks.failures) failed")
        exit(checks.failures == 0 ? 0 : 1)
    }
}

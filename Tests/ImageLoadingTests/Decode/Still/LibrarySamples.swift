import Foundation

/// Files of four by three pixels in RGB 220, 30, 40 that only libraries can make.
enum LibrarySamples {
    /// Made by `avifenc -l`.
    static let avif = file(
        "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAA"
            + "AAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAACEAAAAoaWluZgAAAAAAAQAA"
            + "ABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAQAAAADAAAAEHBpeGkAAAAA"
            + "AwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAABAA0AAIAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACltZGF0EgAKCDgE"
            + "eYQENACAMhMQAAAAD/o+8AhMeo/EScp7M8BQ")
    /// Made by `cjxl -d 0`.
    static let jpegXL = file(
        "/woQMBBQXAgIAgEARABLGIsVwkkC5gUiABj3vXAAAA==")
    /// Made by `vips jp2ksave --lossless`.
    static let jpeg2000 = file(
        "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAAwAAAAQAAwcHAAAAAAAPY29scgEA"
            + "AAAAABAAAAChanAyY/9P/1EALwAAAAAABAAAAAMAAAAAAAAAAAAAAgAAAAIAAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAAB"
            + "AQAEBAAB/1wABEBA/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAAAKQAB/5PH1AYI7GvB"
            + "8gcCNIDa2P9/34BAAjSB5hKAAB//2Q==")

    private static func file(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}

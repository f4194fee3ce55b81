import Foundation

extension ContiguousBytes {
    /// Calls a closure with the bytes and throws its error with its type, which `withUnsafeBytes` loses.
    func withBytes<Output, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let outcome: Result<Output, Failure> = withUnsafeBytes { bytes in
            do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

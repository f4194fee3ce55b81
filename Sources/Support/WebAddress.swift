import Foundation

/// An address as people, lists and servers write it, made into a URL.
public enum WebAddress {
    /// The URL by the one rule for addresses; nil when the text is none.
    ///
    /// Foundation alone would encode escapes again as soon as one other character is wrong: `a%2Fb[1]` would become
    /// `a%252Fb%5B1%5D`.
    public static func url(_ text: String, relativeTo base: URL? = nil) -> URL? {
        let address = AddressEncoder.encode(text)
        guard let base else { return URL(string: address) }
        // What is relative has its dot segments removed with its base.
        guard let whole = URL(string: address, relativeTo: base)?.absoluteString else { return nil }
        return URL(string: AddressEncoder.encode(whole))
    }
}

import FoundationEssentials
import Glibc

/// Paths as text. A path is bytes, which need not be UTF-8; text names every file all the same.
///
/// Each byte that is not part of a valid character stands as a character for private use, U+10FE80 to U+10FEFF. The
/// bytes of such a character in a real name stand the same way, so that text and bytes correspond one to one.
extension String {
    /// Creates the text of a path.
    package init(pathBytes bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self), !text.hasPathEscapes {
            self = text
            return
        }
        var scalars = UnicodeScalarView()
        var rest = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var read: [UInt8] = []
        func append(escapesOf bytes: some Sequence<UInt8>) {
            scalars.append(contentsOf: bytes.map { Unicode.Scalar(PathEscape.base + UInt32($0)) ?? "\u{FFFD}" })
        }
        var source = AnyIterator { () -> UInt8? in
            guard let byte = rest.next() else { return nil }
            read.append(byte)
            return byte
        }
        while true {
            switch parser.parseScalar(from: &source) {
            case .valid(let encoded):
                read.removeFirst(encoded.count)
                let scalar = Unicode.UTF8.decode(encoded)
                if PathEscape.byte(of: scalar) != nil { append(escapesOf: encoded) } else { scalars.append(scalar) }
            case .error(let length):
                append(escapesOf: read.prefix(length))
                read.removeFirst(length)
            case .emptyInput:
                self.init(scalars)
                return
            }
        }
    }

    /// Creates the text of a path that ends with a NUL.
    package init(pathCString path: UnsafePointer<CChar>) {
        self.init(pathBytes: UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    /// The folder of a path, without its last component; "." if it names none.
    ///
    /// Foundation's own ends the process for a path of one letter.
    package var pathFolder: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(decoding: utf8[..<slash], as: UTF8.self)
    }

    /// The last component of a path; a character that combines with the slash before it belongs to the name.
    package var pathName: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return String(decoding: utf8[utf8.index(after: slash)...], as: UTF8.self)
    }

    /// The extension of the path's name without its dot; empty without one.
    ///
    /// A dot at the start of a name begins none.
    package var pathExtension: String {
        let name = pathName
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
        return String(decoding: name.utf8[name.utf8.index(after: dot)...], as: UTF8.self)
    }

    /// The path without its extension and the dot before it.
    package var withoutPathExtension: String {
        let end = pathExtension
        return end.isEmpty ? self : String(decoding: utf8.dropLast(end.utf8.count + 1), as: UTF8.self)
    }

    /// The path without components that change nothing: `.`, `..` after a name, and doubled or trailing slashes.
    package var standardPath: String {
        var kept: [Substring.UTF8View] = []
        for part in utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
            let goesUp = part.elementsEqual("..".utf8)
            if goesUp, let last = kept.last, !last.elementsEqual("..".utf8) {
                kept.removeLast()
            } else if !goesUp || !utf8.starts(with: "/".utf8) {
                kept.append(part)
            }
        }
        let path = kept.map { String(Substring($0)) }.joined(separator: "/")
        return utf8.first == UInt8(ascii: "/") ? "/" + path : path.isEmpty ? "." : path
    }

    /// Returns the path of a file in the folder with this path.
    package func inFolder(_ name: String) -> String { self == "/" ? "/\(name)" : "\(self)/\(name)" }

    /// Whether the text stands for bytes that are no UTF-8.
    package var hasPathEscapes: Bool {
        // All escapes begin with this byte, and almost no path has it.
        utf8.contains(0xF4) && unicodeScalars.contains { PathEscape.byte(of: $0) != nil }
    }

    /// The bytes of the path.
    package var pathBytes: [UInt8] {
        guard hasPathEscapes else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            PathEscape.byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
        }
    }

    /// Calls `body` with the path as system calls take it.
    package func withPath<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        func call(_ text: UnsafePointer<CChar>) -> Swift.Result<Result, Failure> {
            Swift.Result { () throws(Failure) in try body(text) }
        }
        guard hasPathEscapes else { return try withCString(call).get() }
        let bytes = pathBytes.map(CChar.init(bitPattern:)) + [0]
        // An array of at least one element has an address.
        return try bytes.withUnsafeBufferPointer { $0.baseAddress.map(call) ?? withCString(call) }.get()
    }
}

/// The characters that stand for the bytes of a path.
package enum PathEscape {
    fileprivate static let base: UInt32 = 0x10FE00

    /// Returns the byte that the character stands for; nil for other characters.
    package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(scalar.value - base) : nil
    }
}

extension URL {
    /// The path of a file URL as text; see `PathText.swift`.
    package var filePath: String {
        let encoded = path(percentEncoded: true)
        guard encoded.utf8.contains(UInt8(ascii: "%")) else { return encoded }
        return String(pathBytes: AddressEncoder.bytes(of: encoded))
    }

    /// Creates a file URL whose escapes are the bytes of the path.
    package init(file path: String) {
        let plain = URL(filePath: path, directoryHint: .notDirectory)
        guard path.hasPathEscapes else {
            self = plain
            return
        }
        let folder = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
        var address = Array("file://".utf8)
        for byte in (folder + path).pathBytes { AddressEncoder.append(byte, ofPath: &address) }
        self = URL(string: String(decoding: address, as: UTF8.self)) ?? plain
    }
}

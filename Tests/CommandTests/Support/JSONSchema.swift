import Foundation

/// Holds JSON values against the part of JSON Schema 2020-12 that our schemas use; a word it does not know is an error.
struct JSONSchema {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private let root: [String: Any]

    init(contentsOf url: URL) throws {
        guard let root = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] else {
            throw Problem(description: "the schema is no object")
        }
        self.root = root
    }

    /// Throws what is wrong with the JSON text, and where.
    func check(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        try check(value, root, "$")
    }

    private static let annotations: Set<String> = ["$schema", "$defs", "title", "description"]

    private func check(_ value: Any, _ schema: [String: Any], _ place: String) throws {
        for (word, rule) in schema where !Self.annotations.contains(word) {
            guard try holds(value, word, rule, schema, place) else {
                throw Problem(description: "\(place): \(word) does not hold for \(value)")
            }
        }
    }

    private func holds(
        _ value: Any, _ word: String, _ rule: Any, _ schema: [String: Any], _ place: String
    ) throws -> Bool {
        switch (word, rule) {
        case ("$ref", let path as String): try check(value, try definition(path), place)
        case ("oneOf", let choices as [[String: Any]]):
            let fitting = choices.filter { (try? check(value, $0, place)) != nil }
            guard fitting.count != 1 else { return true }
            throw Problem(description: "\(place): \(fitting.count) of oneOf: \(problems(value, choices, place))")
        case ("type", let name as String): return Self.isType(value, name)
        case ("const", let constant): return Self.isEqual(value, constant)
        case ("enum", let choices as [Any]): return choices.contains { Self.isEqual(value, $0) }
        case ("pattern", let pattern as String):
            guard let text = value as? String else { return true }
            return text.range(of: pattern, options: .regularExpression) != nil
        case ("minimum", let limit as NSNumber): return number(value).map { $0 >= limit.doubleValue } ?? true
        case ("maximum", let limit as NSNumber): return number(value).map { $0 <= limit.doubleValue } ?? true
        case ("required", let names as [String]): return names.allSatisfy { (value as? [String: Any])?[$0] != nil }
        case ("properties", let rules as [String: [String: Any]]):
            for (name, member) in value as? [String: Any] ?? [:] {
                if let rule = rules[name] { try check(member, rule, "\(place).\(name)") }
            }
        // A reader accepts new fields; here each field must be described.
        case ("additionalProperties", true as Bool):
            let known = (schema["properties"] as? [String: Any] ?? [:]).keys
            return (value as? [String: Any] ?? [:]).keys.allSatisfy(known.contains)
        case ("items", let rule as [String: Any]):
            for (index, member) in (value as? [Any] ?? []).enumerated() {
                try check(member, rule, "\(place)[\(index)]")
            }
        default: throw Problem(description: "the schema says \(word), which is not known here")
        }
        return true
    }

    private func problems(_ value: Any, _ choices: [[String: Any]], _ place: String) -> String {
        choices.compactMap { choice in
            do {
                try check(value, choice, place)
                return nil
            } catch {
                return "\(error)"
            }
        }.joined(separator: "; ")
    }

    private func definition(_ path: String) throws -> [String: Any] {
        let name = String(path.dropFirst("#/$defs/".count))
        guard let found = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
            throw Problem(description: "the schema has no \(path)")
        }
        return found
    }

    private func number(_ value: Any) -> Double? { Self.isFlag(value) ? nil : (value as? NSNumber)?.doubleValue }

    private static func isFlag(_ value: Any) -> Bool { value is Bool && !isNumber(value) }

    /// Foundation's numbers and flags are one type; only their Objective-C types differ.
    private static func isNumber(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return false }
        return String(cString: number.objCType) != "c" && String(cString: number.objCType) != "B"
    }

    private static func isEqual(_ left: Any, _ right: Any) -> Bool {
        switch (left, right) {
        case (let left as String, let right as String): left == right
        case (let left as NSNumber, let right as NSNumber): isNumber(left) == isNumber(right) && left == right
        default: false
        }
    }

    private static func isType(_ value: Any, _ name: String) -> Bool {
        switch name {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": !isNumber(value) && value is Bool
        case "number": isNumber(value)
        case "integer":
            isNumber(value) && (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } == true
        default: false
        }
    }
}

extension SensitiveTextScanner {
    private struct Tag {
        /// The name with its prefix, such as `soap:Body`.
        let name: Range<Int>
        /// The index after the tag; the end of the text if the tag is cut off.
        let end: Int
        let attributes: [(name: String, value: Range<Int>)]
        /// Whether text may follow that belongs to the element.
        let hasContent: Bool
    }

    private static let voidElements: Set<String> = ["br", "hr", "img", "input", "link", "meta", "param"]
    /// Elements whose text may be the name of the next element, as in property lists and XML-RPC.
    private static let namingElements: Set<String> = ["dt", "key", "name", "td", "th"]
    private static let propertyListElements: Set<String> = [
        "array", "data", "date", "dict", "false", "integer", "real", "string", "true",
    ]
    private static let valueAttributes: Set<String> = ["content", "default", "value"]
    private static let longestTag = 4096

    /// Scans the tag at the position, and the element if its name is sensitive; returns whether there is a tag.
    mutating func scanTag() -> Bool {
        guard let tag = tag(at: position) else { return false }
        let name = localName(tag.name)
        if Self.namingElements.contains(name), let next = nameInElement(tag), let nextTag = self.tag(at: next.end) {
            let isSensitive = hides(next.name, "", false)
            if isSensitive || Self.propertyListElements.contains(localName(nextTag.name)) {
                position = next.end
                if isSensitive { scanElement(nextTag) }
                return true
            }
        }
        let isNamed = tag.attributes.contains { ["key", "name"].contains($0.name) && hides(text($0.value), "", false) }
        if isNamed || hides(name, "", false) {
            scanElement(tag)
        } else {
            // The attributes are scanned as words.
            position = tag.name.upperBound
        }
        return true
    }

    private mutating func scanElement(_ tag: Tag) {
        addValues(of: tag)
        position = tag.end
        guard tag.hasContent else { return }
        guard endTags[text(tag.name), default: 0] > position else {
            // Without an end tag, the value ends with its line.
            let end = bytes[position...].firstIndex { $0 == UInt8(ascii: "<") || $0 == 10 } ?? bytes.count
            return addTrimmed(to: end)
        }
        let name = text(tag.name)
        var depth = 1
        while position < bytes.count {
            let cdata = "<![CDATA["
            if starts(at: position, with: cdata) {
                position += cdata.utf8.count
                var end = position
                while end < bytes.count, !starts(at: end, with: "]]>") { end += 1 }
                addTrimmed(to: end)
                position = min(end + 3, bytes.count)
            } else if starts(at: position, with: "</") {
                let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1
                let content = bytes[(position + 2)...]
                let nameEnd = content.firstIndex { !$0.isNameByte && $0 != UInt8(ascii: ":") } ?? bytes.count
                if text((position + 2)..<nameEnd) == name { depth -= 1 }
                position = end + 1
                if depth == 0 { return }
            } else if let inner = self.tag(at: position) {
                addValues(of: inner)
                if inner.hasContent, text(inner.name) == name { depth += 1 }
                position = inner.end
            } else {
                addTrimmed(to: bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count)
            }
        }
    }

    private mutating func addValues(of tag: Tag) {
        for (name, value) in tag.attributes where !["key", "name"].contains(name) {
            if Self.valueAttributes.contains(name) || hides(name, "", false) { add(value) }
        }
    }

    private mutating func addTrimmed(to end: Int) {
        let start = bytes[position..<end].firstIndex { !$0.isSpace } ?? end
        add(start..<((bytes[start..<end].lastIndex { !$0.isSpace } ?? start - 1) + 1))
        position = end
    }

    /// Returns the text of an element if it can be a name, and the index of what follows the element.
    private func nameInElement(_ tag: Tag) -> (name: String, end: Int)? {
        guard tag.hasContent, let end = bytes[tag.end...].prefix(64).firstIndex(where: { !$0.isNameByte }),
            end > tag.end, starts(at: end, with: "</"),
            let close = bytes[end...].prefix(64).firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let next = bytes[(close + 1)...].firstIndex { !$0.isSpace } ?? bytes.count
        return (text(tag.end..<end), next)
    }

    private func tag(at start: Int) -> Tag? {
        guard starts(at: start, with: "<"), start + 1 < bytes.count, bytes[start + 1].isLetter else { return nil }
        let nameEnd = bytes[(start + 1)...].firstIndex { !$0.isNameByte && $0 != UInt8(ascii: ":") } ?? bytes.count
        let name = (start + 1)..<nameEnd
        let limit = min(nameEnd + Self.longestTag, bytes.count)
        var attributes: [(String, Range<Int>)] = []
        var index = nameEnd
        while index < limit {
            switch bytes[index] {
            case UInt8(ascii: ">"):
                let isEmpty = Self.voidElements.contains(localName(name)) || bytes[index - 1] == UInt8(ascii: "/")
                return Tag(name: name, end: index + 1, attributes: attributes, hasContent: !isEmpty)
            case let byte where byte.isSpace: index += 1
            case UInt8(ascii: "/") where starts(at: index, with: "/>"): index += 1
            default:
                // What is neither white space nor an attribute shows that this is not a tag, as in `<https://…>`.
                guard bytes[index - 1].isSpace else { return nil }
                let end = bytes[index..<limit].firstIndex { $0.isSpace || "=/<>".utf8.contains($0) } ?? limit
                guard end > index else { return nil }
                let attribute = localName(index..<end)
                index = end
                guard starts(at: skippingSpaces(end), with: "=") else { continue }
                let start = skippingSpaces(skippingSpaces(end) + 1)
                if let quote = quote(at: start) {
                    let (value, end) = contentRange(of: quote)
                    attributes.append((attribute, value))
                    index = end
                    if end < bytes.count, !bytes[end].isSpace, !"/>?".utf8.contains(bytes[end]) { return nil }
                } else {
                    index = bytes[start...].firstIndex { $0.isSpace || "<>".utf8.contains($0) } ?? bytes.count
                    if starts(at: index, with: "<") { return nil }
                    attributes.append((attribute, start..<index))
                }
            }
        }
        return limit == bytes.count ? Tag(name: name, end: limit, attributes: attributes, hasContent: false) : nil
    }

    private func localName(_ name: Range<Int>) -> String {
        let prefix = bytes[name].lastIndex(of: UInt8(ascii: ":"))
        return text((prefix.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound).lowercased()
    }

    /// Returns the last offset of each end tag, by the name of its element.
    static func endTags(_ bytes: [UInt8]) -> [String: Int] {
        var result: [String: Int] = [:]
        for index in bytes.indices.dropLast()
        where bytes[index] == UInt8(ascii: "<") && bytes[index + 1] == UInt8(ascii: "/") {
            let end = bytes[(index + 2)...].firstIndex { !$0.isNameByte && $0 != UInt8(ascii: ":") } ?? bytes.count
            result[String(decoding: bytes[(index + 2)..<end], as: UTF8.self)] = index
        }
        return result
    }
}

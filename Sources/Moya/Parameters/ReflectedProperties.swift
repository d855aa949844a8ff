/// The stored properties of a value by name, including inherited ones.
struct ReflectedProperties {
    private(set) var values: [String: Any] = [:]

    init(of value: Any) {
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror {
            for (name, value) in current.children {
                // A name that begins with `$` belongs to the storage of a lazy property. The storage is skipped,
                // because it has no value before the first access.
                if let name, !name.hasPrefix("$") { values[name] = values[name] ?? value }
            }
            mirror = current.superclassMirror
        }
    }
}

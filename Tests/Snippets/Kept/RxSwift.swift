// A module with names of RxSwift, for `KeptRxSwift.swift`.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public final class DisposeBag {
    public init() {}
    public func insertKept() {}
}

public struct Single<Element> {
    public init() {}
    public func kept() {}
}

public final class MainScheduler {
    public static let instance = MainScheduler()
    public func kept() {}
}

public final class PublishSubject<Element> {
    public init() {}
    public func kept() {}
}

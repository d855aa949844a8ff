// swift: 5 6
import Foundation
import RxMoyaCompatibility

// A view model of RxSwift, isolated to the main actor and not: it compiles in both modes with warnings.

@MainActor final class SearchViewModel {
    let query = BehaviorRelay<String>(value: "")
    private(set) var results: [String] = []
    private(set) var title = ""
    private let bag = DisposeBag()

    init(search: @escaping @Sendable (String) -> Single<[String]>) {
        query.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
            .distinctUntilChanged()
            .flatMapLatest { search($0).catchAndReturn([]) }
            .observe(on: MainScheduler.instance)
            .subscribe(onNext: { [weak self] in self?.results = $0 })  // warning: subscribe(onMain:)
            .disposed(by: bag)
        query.map { [weak self] in "\(self?.results.count ?? 0) for \($0)" }
            .bind(with: self, onNext: { $0.title = $1 })
            .disposed(by: bag)
        query.asDriver().drive(onNext: { [weak self] in self?.title = $0 }).disposed(by: bag)
        query.do(onNext: { [weak self] _ in self?.title = "" })
            .subscribe(with: self) { $0.title = $1 }
            .disposed(by: bag)
    }
}

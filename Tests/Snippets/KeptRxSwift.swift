// swift: 5
import MoyaStreams
import RxSwift

// A file that keeps RxSwift beside this package: the unavailable names of this package do not hide RxSwift's.
let bag = DisposeBag()
func kept(_ single: Single<Int>) {
    bag.insertKept()
    single.kept()
    MainScheduler.instance.kept()
    PublishSubject<Int>().kept()
}

extension Single where Element == Int {
    func extended() {}
}

import XCTest

// XCTest runs synchronous tests on the main thread, where a driver delivers at once. Swift Testing on Linux does not.
final class ViewModelTests: XCTestCase {
    func testViewModelsOfRxSwiftAndRxRelay() { XCTAssertEqual(viewModelFailures(), []) }
}

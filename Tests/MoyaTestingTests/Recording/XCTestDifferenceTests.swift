import MoyaStreams
import MoyaTesting
import XCTest

/// The difference of two recordings, as XCTest prints it.
final class XCTestDifferenceTests: XCTestCase {
    func testT5XCTestShowsTheDifference() {
        let time = VirtualTime()
        let recording = time.play(time.cold("a-b|"))
        XCTAssertEqual(recording.marbles, "a-b|")
        XCTAssertNotEqual(recording, "a-c|")
        // XCTAssertEqual prints the descriptions of its operands after it has compared them.
        XCTAssertTrue("\(recording)".contains("at 2 ms: expected c, got b"))
    }
}

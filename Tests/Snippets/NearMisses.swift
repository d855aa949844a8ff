// swift: 5 6
import Foundation
import MoyaStreams

// Properties of targets with the name of a requirement and another type. The compiler refuses those that are written by
// habit: computed or stored, in the type, an extension or the default implementation of another protocol.

enum Computed: TargetType {  // error: declare the property as headers: [String: String]?
    case zen
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var headers: [String: String] { return ["A": "b"] }
}

enum OptionalValues: TargetType {  // error: declare the property as headers: [String: String]?
    case zen
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var headers: [String: String?] { return ["A": nil] }
}

enum OptionalFields: TargetType {  // error: declare the property as headers: [String: String]?, and return the
    case zen
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var headers: HTTPHeaders? { return ["A": "b"] }
}

enum ComputedMethod: TargetType {  // error: declare the property as method: Moya.Method, such as .post
    case zen
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var method: String {
        switch self {
        case .zen: return "POST"
        }
    }
}

enum ComputedValidation: TargetType {  // error: declare the property as validationType: ValidationType, which is not
    case zen
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var validationType: ValidationType? { return .successCodes }
}

struct Stored: RelativeTarget {  // error: declare the property as headers: [String: String]?
    let path = "/"
    var headers = ["A": "b"]
}

struct StoredMethod: RelativeTarget {  // error: declare the property as method: Moya.Method, such as .post
    let path = "/"
    let method = "POST"
}

struct StoredValidation: RelativeTarget {  // error: declare the property as validationType: ValidationType, which is
    let path = "/"
    let validationType: ValidationType? = .successCodes
}

final class OfClass: RelativeTarget {  // error: declare the property as method: Moya.Method, which is not optional
    let path = "/"
    let method: Moya.Method? = .post
}

struct OptionalTask: RelativeTarget {  // error: declare the property as task: RequestTask, which is not optional
    let path = "/"
    var task: RequestTask? { return .requestPlain }
}

struct OfAlamofire: RelativeTarget {  // error: declare the property as headers: [String: String]?, and return the
    let path = "/"
    var headers: HTTPHeaders { return ["A": "b"] }
}

struct Typed: DecodableTargetType {  // error: declare the property as headers: [String: String]?
    typealias Value = [String]
    let path = "/"
    let headers = ["A": "b"]
}

enum Extended {
    case zen
}

extension Extended: TargetType {  // error: declare the property as headers: [String: String]?
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var headers: [String: String] { return ["A": "b"] }
}

enum OtherExtension: RelativeTarget {  // error: declare the property as method: Moya.Method, such as .post
    case zen
    var path: String { return "/" }
}

extension OtherExtension {
    var method: String { return "POST" }
}

protocol AppTarget: TargetType {}

extension AppTarget {
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var headers: [String: String] { return ["A": "b"] }
}

struct OfApp: AppTarget {  // error: declare the property as headers: [String: String]?
    let path = "/"
}

// Properties of the right types, also where they are defaults of another protocol.
protocol SoundTarget: TargetType {}

extension SoundTarget {
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var headers: [String: String]? { return ["A": "b"] }
    var method: Moya.Method { return .post }
    var validationType: ValidationType { return .successCodes }
}

struct Sound: SoundTarget {
    let path = "/"
}

struct Wrapper<Target: TargetType>: TargetType {
    let target: Target
    var baseURL: URL { return target.baseURL }
    var path: String { return target.path }
    var headers: [String: String]? { return target.headers }
    var method: Moya.Method { return target.method }
    var validationType: ValidationType { return target.validationType }
}

// A target is read with the types of the requirements.
func read(_ target: any TargetType) -> String? {
    let (headers, method) = (target.headers, target.method)
    if case .none = target.validationType { return nil }
    return headers?[method.rawValue] ?? target.method.rawValue
}

func misread<Target: TargetType>(_ target: Target, _ existential: any TargetType) {
    let method: String = target.method  // error: cannot convert value of type
    print(method, target.headers["A"] ?? "")  // error: value of optional type '[String : String]?' must be unwrapped
    print(existential.headers["A"] ?? "")  // error: value of optional type '[String : String]?' must be unwrapped
}

// Parameters with `Any` are sent, in either mode.
enum Search: TargetType {
    case text(String)
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var parameters: [String: Any]? {
        switch self {
        case .text(let text): return ["q": text]
        }
    }
}

import MoyaStreams
import TerminalSupport

/// Reports each connection that continues an answer.
struct ReconnectionPlugin: PluginType {
    func willSend(_ request: RequestType, target: any RelativeTarget) {
        guard let id = request.headers["Last-Event-ID"] else { return }
        Terminal.error.write(Terminal.error.styled("[reconnects after event \(id.printable)] ", .dim))
    }
}

public import CoreMetrics
public import Moya

extension CallMetrics {
    /// An observer that records durations as timers and sizes as recorders of swift-metrics.
    ///
    /// - Parameter factory: makes the timers and recorders.
    public static func metrics(factory: any MetricsFactory = MetricsSystem.factory) -> CallMetrics {
        CallMetrics { name, value, dimensions in
            let dimensions = dimensions.map { ($0.name, $0.value) }
            if name.hasSuffix(".size") {
                Recorder(label: name, dimensions: dimensions, aggregate: true, factory: factory).record(value)
            } else {
                Timer(label: name, dimensions: dimensions, factory: factory).recordSeconds(value)
            }
        }
    }
}

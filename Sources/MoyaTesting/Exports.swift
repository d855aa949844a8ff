@_exported public import MoyaRecording

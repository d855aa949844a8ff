@_exported public import MoyaScheduling

@_exported public import MoyaTesting
@_exported public import RxMoyaCompatibility

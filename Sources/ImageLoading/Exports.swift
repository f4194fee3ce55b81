// Importing this module is enough: its public API uses types of these targets.
@_exported import AlcedoDiskCache
@_exported import AlcedoHTTPDownload
@_exported import AlcedoHTTPRequests
@_exported import AlcedoImageCodecs
@_exported import AlcedoSandbox
@_exported import Raster
@_exported import Retrying

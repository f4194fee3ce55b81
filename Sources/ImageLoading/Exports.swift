// Importing this module is enough: its public API uses types of these targets.
@_exported import DiskCache
@_exported import HTTPDownload
@_exported import HTTPRequests
@_exported import ImageCodecs
@_exported import Raster
@_exported import Retrying
@_exported import Support

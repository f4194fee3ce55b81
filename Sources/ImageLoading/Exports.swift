// One import is enough: the public API mentions types of these targets.
@_exported import DiskCache
@_exported import HTTPDownload
@_exported import ImageCodecs
@_exported import Raster
@_exported import Retrying
@_exported import Support

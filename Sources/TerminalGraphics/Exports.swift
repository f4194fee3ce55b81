// Importing this module is enough: its public API uses the types of this target.
@_exported import Raster

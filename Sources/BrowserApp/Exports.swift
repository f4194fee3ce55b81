// Importing this module is enough: the settings and their display options are part of its API.
@_exported import AlcedoConfig
@_exported import ImageLoading
@_exported import TerminalGraphics

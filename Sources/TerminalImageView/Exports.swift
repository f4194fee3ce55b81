// Importing this module is enough to load and show images.
@_exported import ImageLoading
@_exported import TerminalGraphics

@_exported import Foundation
@_exported import FoundationNetworking

// Importing this module is enough. Only single declarations of the library's modules are re-exported, because a name
// that Kingfisher has too must mean Kingfisher's.
@_exported import enum AlcedoDiskCache.ExpirationExtending
@_exported import enum AlcedoDiskCache.StorageExpiration
@_exported import struct AlcedoImageCodecs.Image
@_exported import enum ImageLoading.ImageCacheResult
@_exported import protocol ImageLoading.ImageModifier
@_exported import struct ImageLoading.ImageResource
@_exported import struct ImageLoading.ImageTransition
@_exported import protocol ImageLoading.Resource
@_exported import enum ImageLoading.Source
@_exported import protocol ImageLoading.SourceConvertible
@_exported import struct Raster.CellSize
@_exported import struct Raster.Color
@_exported import struct Raster.GridSize
@_exported import struct Raster.PixelBuffer
@_exported import struct Raster.PixelSize
@_exported import struct Raster.Rect
@_exported import enum TerminalGraphics.ColorDepth
@_exported import enum TerminalGraphics.GraphicsProtocol
@_exported import struct TerminalGraphics.PictureEncoder
@_exported import struct TerminalGraphics.SixelLimits
@_exported import class TerminalImageView.TerminalImageView

/// The type of images, which is `UIImage` in Kingfisher.
public typealias KFCrossPlatformImage = Image
/// The type of views that show images.
public typealias KFCrossPlatformImageView = TerminalImageView
/// The type of views.
public typealias KFCrossPlatformView = TerminalImageView
/// The type of colours, which is `UIColor` in Kingfisher.
public typealias KFCrossPlatformColor = Color

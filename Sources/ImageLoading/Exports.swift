@_exported import AsyncSupport

// The settings are part of this module's API.
@_exported import AlcedoConfig

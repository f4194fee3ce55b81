enum AssetsBundle {}

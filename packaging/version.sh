# Sets `version` and SOURCE_DATE_EPOCH for a package of the program $binary; sourced in the top folder.
#
# With the tag vVERSION on the commit, or without git, the version is that of the source. For any other build it sorts
# before that release: 0.1.0~git20260131.2359.abc1234, with the time of the commit (UTC) and its hash, then `.dirty` if
# files differ from the commit.
version="$("$binary" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)"
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH
if [ -e .git ] && [ "$(git describe --tags --exact-match --dirty 2>/dev/null)" != "v$version" ]; then
    hash="$(git describe --always --exclude '*' --abbrev=7 --dirty=.dirty)"
    version="$version~git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M).$hash"
fi

#!/bin/sh
# Removes from node_modules and dist what is needed only to build, test or read the code. Run it in
# the folder that contains them, after the development packages were removed.
# test/deploy/image.full.test.ts checks that the rest still runs.
set -eu

# The Ethereum node is for tests only, and nothing is compiled here.
rm -rf node_modules/@foundry-rs node_modules/typescript node_modules/@typescript node_modules/cmake-ts

# Type declarations and source maps.
find node_modules dist -type f \
  \( -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.map' -o -name '.tsbuildinfo' \) -delete
rm -rf node_modules/viem/_types node_modules/ox/_types

# CommonJS copies of these two packages, which nothing here requires.
rm -rf node_modules/viem/_cjs node_modules/ox/_cjs

# Native binaries for other platforms.
platform=$(node -p 'process.platform')
architecture=$(node -p 'process.arch')
for folder in node_modules/zeromq/build/*/; do
  [ -d "$folder" ] || continue
  case $folder in
    */"$platform"/) for each in "$folder"*/; do
      case $each in */"$architecture"/) ;; *) rm -rf "$each" ;; esac
    done ;;
    *) rm -rf "$folder" ;;
  esac
done

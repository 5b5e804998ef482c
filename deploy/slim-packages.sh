#!/bin/sh
# Takes out of node_modules and dist what only building, testing and reading need. Run in the folder that has them, with
# the packages of development gone already. What is left is found by test/deploy/image.full.test.ts to run.
set -eu

# The Ethereum node is for tests alone; nobody compiles here.
rm -rf node_modules/@foundry-rs node_modules/typescript node_modules/@typescript node_modules/cmake-ts

# Types, and maps from compiled lines to written ones.
find node_modules dist -type f \
  \( -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.map' -o -name '.tsbuildinfo' \) -delete
rm -rf node_modules/viem/_types node_modules/ox/_types

# The same code for `require`, which nobody here calls on these two.
rm -rf node_modules/viem/_cjs node_modules/ox/_cjs

# Native code for other systems than this one.
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

#!/bin/sh
# The command line of the version that this file is part of, with the Node.js beside it.
set -e
home=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$home/node/bin/node" --max-semi-space-size=4 "$home/dist/server/cli.js" "$@"

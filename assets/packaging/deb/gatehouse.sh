#!/bin/sh
# The command line of the installed service. Run as root, it continues as the service's account, which owns the data. Only the
# installation of an update stays root: it opens no data, and accepts what is signed.
set -e
home=/usr/lib/gatehouse
settings=/etc/default/gatehouse
if [ -r "$settings" ]; then
  set -a
  . "$settings"
  set +a
fi
: "${GATEHOUSE_DATA_DIR:=/var/lib/gatehouse}"
: "${GATEHOUSE_MODEL_DIR:=$home/models}"
export GATEHOUSE_DATA_DIR GATEHOUSE_MODEL_DIR
if [ "$(id -u)" -eq 0 ] && [ "$1 $2" != 'update install' ]; then
  set -- setpriv --reuid=gatehouse --regid=gatehouse --init-groups "$home/node/bin/node" --max-semi-space-size=4 "$home/dist/server/cli.js" "$@"
else
  set -- "$home/node/bin/node" --max-semi-space-size=4 "$home/dist/server/cli.js" "$@"
fi
exec "$@"

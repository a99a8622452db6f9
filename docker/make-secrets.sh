#!/bin/sh
# Makes each secret that is missing, once. Every reader has a volume of its own, with what it needs and nothing else: files that its user
# and root alone can read. Nothing here is in git, in an image or in an environment.
set -eu
APP=${APP_SECRETS:-/secrets} POSTGRES=${POSTGRES_SECRETS:-/secrets-postgres} REDIS=${REDIS_SECRETS:-/secrets-redis}
# The images' users: node, postgres and redis.
APP_UID=${APP_UID:-1000} POSTGRES_UID=${POSTGRES_UID:-70} REDIS_UID=${REDIS_UID:-999} ROOT=${ROOT_OWNER:-0:0}
umask 077
random() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
# put FILE TEXT: whole or not at all
put() { printf '%s' "$2" > "$1.new" && mv "$1.new" "$1"; }
keep() { [ -s "$1" ] || put "$1" "$2"; }

cd "$APP"
keep postgres-password "$(random)"
keep redis-password "$(random)"
keep jwt-secret "$(random)"
keep inbound-secret "$(random)"
keep metrics-token "$(random)"
keep database-url "postgres://staffcast:$(cat postgres-password)@postgres:5432/staffcast"
keep redis-url "redis://:$(cat redis-password)@redis:6379"
put "$POSTGRES/password" "$(cat postgres-password)"
put "$REDIS/password" "$(cat redis-password)"
put "$REDIS/redis.conf" "requirepass $(cat redis-password)"
# An earlier version kept it here.
rm -f redis.conf

# own OWNER FILE…: read by its owner, and by root without further rights (a backup's container)
own() { owner=$1; shift; chmod 0440 "$@"; chown "$owner" "$@"; }
for file in *; do
  case $file in
    postgres-password | redis-password) own "$ROOT" "$file" ;;
    *) own "$APP_UID:${ROOT#*:}" "$file" ;;
  esac
done
own "$POSTGRES_UID:${ROOT#*:}" "$POSTGRES/password"
own "$REDIS_UID:${ROOT#*:}" "$REDIS/password" "$REDIS/redis.conf"

#!/bin/sh
# Makes each secret that is missing, once, in the volume /secrets. Nothing here is in git, in an image or in an environment.
set -eu
cd /secrets
random() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
keep() { [ -s "$1" ] || { printf '%s' "$2" > "$1.new" && mv "$1.new" "$1"; }; }
umask 022
keep postgres-password "$(random)"
keep redis-password "$(random)"
keep jwt-secret "$(random)"
keep inbound-secret "$(random)"
keep metrics-token "$(random)"
keep database-url "postgres://staffcast:$(cat postgres-password)@postgres:5432/staffcast"
keep redis-url "redis://:$(cat redis-password)@redis:6379"
keep redis.conf "requirepass $(cat redis-password)"

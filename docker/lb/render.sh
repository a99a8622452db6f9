#!/bin/sh
# Fills in the load balancer's configuration and hands over to nginx. Everything it writes is below /tmp: the root file system is read-only.
set -eu
export LB_RUN=/tmp LB_CONF=/etc/staffcast LB_SERVER_D=/etc/nginx/server.d LB_MIME_TYPES=/etc/nginx/mime.types LB_WEB_ROOT=/srv/web
export LB_LISTEN="${LB_LISTEN:-8080}" LB_ACCESS_LOG="${LB_ACCESS_LOG:-/dev/stdout}" LB_FAIL_TIMEOUT="${LB_FAIL_TIMEOUT:-10s}" LB_KEEPALIVE="${LB_KEEPALIVE:-4s}"
export LB_CLIENT_CONNECTIONS="${LB_CLIENT_CONNECTIONS:-200}" LB_CLIENT_RATE="${LB_CLIENT_RATE:-100}" LB_CLIENT_BURST="${LB_CLIENT_BURST:-400}" LB_HEADER_TIMEOUT="${LB_HEADER_TIMEOUT:-10s}"
export WEB_1="${WEB_1:-web1:3000}" WEB_2="${WEB_2:-web2:3000}"
envsubst '$LB_RUN $LB_CONF $LB_SERVER_D $LB_MIME_TYPES $LB_WEB_ROOT $LB_LISTEN $LB_ACCESS_LOG $LB_FAIL_TIMEOUT $LB_KEEPALIVE $LB_CLIENT_CONNECTIONS $LB_CLIENT_RATE $LB_CLIENT_BURST $LB_HEADER_TIMEOUT $WEB_1 $WEB_2' \
    < /etc/staffcast/nginx.conf.template > /tmp/nginx.conf
exec nginx -c /tmp/nginx.conf -g 'daemon off;'

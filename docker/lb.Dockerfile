# syntax=docker/dockerfile:1
# The load balancer with the web app's hashed files. Build from the repository's root: docker build -f docker/lb.Dockerfile .

FROM node:24-alpine AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY backend/package.json backend/
COPY frontend/package.json frontend/
RUN --mount=type=cache,target=/root/.npm npm ci -w frontend --ignore-scripts --no-audit --no-fund
COPY openapi openapi
COPY frontend frontend
RUN cd frontend && node ../node_modules/vite/bin/vite.js build

FROM nginxinc/nginx-unprivileged:1.29-alpine
USER root
RUN rm -rf /etc/nginx/conf.d /docker-entrypoint.d && mkdir -p /etc/nginx/server.d
USER nginx
COPY docker/lb/nginx.conf.template docker/lb/proxy.conf docker/lb/assets.conf docker/lb/render.sh /etc/staffcast/
COPY --from=build /src/frontend/dist/assets /srv/web/assets
EXPOSE 8080 8443
# By way of an instance: a load balancer that reaches none is not healthy.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/api/health/live"]
ENTRYPOINT ["/bin/sh", "/etc/staffcast/render.sh"]

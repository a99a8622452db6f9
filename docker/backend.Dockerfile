# syntax=docker/dockerfile:1
# Web, worker and command line: one image, ROLE decides. Build from the repository's root: docker build -f docker/backend.Dockerfile .

FROM node:24-alpine AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY backend/package.json backend/
COPY frontend/package.json frontend/
# Scripts stay off: the `node` package would fetch a second Node, and the embedded PostgreSQL is not for containers.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY openapi openapi
COPY backend backend
COPY frontend frontend
RUN npm run --silent build -w backend && cd frontend && node ../node_modules/vite/bin/vite.js build

FROM node:24-alpine AS packages
WORKDIR /src
COPY package.json package-lock.json ./
COPY backend/package.json backend/
COPY frontend/package.json frontend/
RUN --mount=type=cache,target=/root/.npm npm ci -w backend --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-alpine
# pg_dump and pg_restore, for `backup` and `restore`.
RUN apk add --no-cache postgresql18-client tini && rm -rf /usr/local/lib/node_modules /opt/yarn* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/yarn* && \
    mkdir /data /files && chown node:node /data /files
ENV NODE_ENV=production PORT=3000 WORKER_PORT=3001 DATA_DIR=/tmp/data NODE_OPTIONS="--enable-source-maps --max-old-space-size=384"
WORKDIR /app
COPY --from=packages /src/package.json ./
COPY --from=packages /src/node_modules node_modules
COPY --from=packages /src/backend/node_modules backend/node_modules
COPY --from=build /src/backend/package.json backend/
COPY --from=build /src/backend/dist backend/dist
COPY --from=build /src/frontend/dist frontend/dist
COPY --from=build /src/openapi openapi
COPY docker/healthcheck.mjs docker/healthcheck.mjs
COPY --chmod=755 docker/bin/ /usr/local/bin/
USER node
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 CMD ["node", "docker/healthcheck.mjs"]
ENTRYPOINT ["/sbin/tini", "--"]
CMD ["node", "backend/dist/src/main.js"]

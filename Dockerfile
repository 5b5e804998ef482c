# The current Node LTS. Keep both stages on the same line.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY machines ./machines
COPY src ./src
COPY scripts/build ./scripts/build
RUN npm run build
COPY deploy/slim-packages.sh deploy/healthcheck.js ./deploy/
RUN npm prune --omit=dev --no-audit --no-fund && sh deploy/slim-packages.sh

FROM node:26-slim
LABEL org.opencontainers.image.title="Quittance" \
  org.opencontainers.image.description="Cryptocurrency payments straight into your own wallet" \
  org.opencontainers.image.licenses="MIT"
# The service listens on all interfaces of the container; publishing the port decides who can reach
# it.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# Without a limit, Node lets garbage accumulate while the machine has memory. docs/operators/scaling.md has
# the sizes.
ENV NODE_OPTIONS=--max-old-space-size=128 MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/deploy/healthcheck.js ./deploy/
RUN chmod 755 dist/quittance/main.js && ln -s /app/dist/quittance/main.js /usr/local/bin/quittance
# The user `node` of the base image, by number, so that a runtime that forbids root can verify it.
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
# The only folder written to besides /tmp, which may be in memory; the rest may be read-only.
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "deploy/healthcheck.js"]
# Without the base image's entry point, which would run an unknown command as a script of Node.
ENTRYPOINT []
# `docker run IMAGE quittance --help`, and `docker compose exec app quittance doctor`.
CMD ["quittance"]

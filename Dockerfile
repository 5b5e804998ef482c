# The current Node LTS. Keep both stages on the same line.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY machines ./machines
COPY src ./src
RUN npm run build
COPY deploy/slim-packages.sh deploy/healthcheck.js ./deploy/
RUN npm prune --omit=dev --no-audit --no-fund && sh deploy/slim-packages.sh

FROM node:26-slim
LABEL org.opencontainers.image.title="Quittance" \
  org.opencontainers.image.description="Cryptocurrency payments straight into your own wallet" \
  org.opencontainers.image.licenses="MIT"
# Inside the container the service listens on every interface; what the host exposes is decided where it is published.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# Node would let garbage pile up while the machine has memory. docs/scaling.md tells what a process needs.
ENV NODE_OPTIONS=--max-old-space-size=128 MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/deploy/healthcheck.js ./deploy/
# The user `node` of the base image, by number, so that a runtime that refuses root can see that this is not root.
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
# The one folder that is written to; /tmp may be one in memory, and the rest read-only.
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "deploy/healthcheck.js"]
# Arguments reach the program: `docker run quittance --help`.
ENTRYPOINT ["node", "dist/src/main.js"]

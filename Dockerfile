# The current Node LTS. Keep both stages on the same line.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY machines ./machines
COPY src ./src
# The Ethereum node is for tests alone.
RUN npm run build && npm prune --omit=dev --no-audit --no-fund && rm -rf node_modules/@foundry-rs

FROM node:26-slim
# Inside the container the service listens on every interface; what the host exposes is decided where it is published.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/v1/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Arguments reach the program: `docker run quittance --help`.
ENTRYPOINT ["node", "dist/src/main.js"]

# Node 24 on Debian 12, by the digest of its list of platforms: amd64 and arm64 come from one recipe.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

# What is built is plain JavaScript with all its packages, the same for every platform: it is built on the machine's own.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run build && find dist -name '*.map' -delete

# What fetches a mailbox has no more than that: compose.yaml mounts its script.
FROM ${NODE_IMAGE} AS fetch
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates isync && rm -rf /var/lib/apt/lists/*
RUN mkdir /mail && chown 65532:65532 /mail
USER 65532:65532

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=
LABEL org.opencontainers.image.title="Sightline" \
  org.opencontainers.image.description="The read side of security reporting: an exact REST API and GraphQL over one schema" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production HOST=0.0.0.0 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /build/dist dist
COPY --from=build /build/bin bin
COPY package.json LICENSE ./
# A volume that is mounted there belongs to that user.
RUN mkdir -p /spool/reports && chown -R 65532:65532 /spool
# A number, so that Kubernetes can tell that it is not root. Nothing is written but to /tmp.
USER 65532:65532
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "bin/sightline.js", "health"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "bin/sightline.js"]
CMD ["serve"]

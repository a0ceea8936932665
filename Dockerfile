FROM python:3.11.16-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b AS build
WORKDIR /app
# By its hashes (x86-64 and ARM), so that nothing but that uv is ever run here.
RUN printf '%s\n' \
    'uv==0.13.9 \' \
    '  --hash=sha256:d7f459fe4fd247d830351c75686d3996ace3c6f3f728eb0e85a30b7ada0cef19 \' \
    '  --hash=sha256:5435c5ce14a56431208ca0996416d310f1598e8c2c8ba707688985a16bb82dbe' > uv.txt \
    && pip install --no-cache-dir --require-hashes -r uv.txt
COPY pyproject.toml uv.lock ./
ENV UV_COMPILE_BYTECODE=1
RUN uv sync --frozen --no-dev --no-install-project --extra postgres --extra speed --extra metrics --extra sentry

FROM python:3.11.16-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b
RUN useradd --create-home --uid 10001 doomkeeper \
    && install -d -o doomkeeper -g doomkeeper /app/data
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY pyproject.toml LICENSE README.md ./
COPY migrations migrations
COPY rules rules
COPY bot bot
ENV PATH=/app/.venv/bin:$PATH
# The file system is read-only later, and the base image has no bytecode of the standard library.
RUN python -m compileall -q bot rules migrations && python -c "import bot.ops.serve, bot.ops.health, alembic.migration"
# For `report` and `/about`: docker compose build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    LOG_FORMAT=json \
    HEALTH_PORT=8378 \
    EXIT_WHEN_UNUSABLE=wait \
    COMMIT=$COMMIT
USER doomkeeper
VOLUME /app/data
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"HEALTH_PORT\"]}/live', timeout=5)"]
ENTRYPOINT ["python", "-m", "bot"]

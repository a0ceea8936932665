FROM python:3.11-slim-bookworm AS build
RUN pip install --no-cache-dir "uv>=0.9"
WORKDIR /app
COPY pyproject.toml uv.lock ./
ENV UV_COMPILE_BYTECODE=1
RUN uv sync --frozen --no-dev --extra postgres --extra speed

FROM python:3.11-slim-bookworm
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
RUN python -m compileall -q bot rules migrations && python -c "import bot.serve, alembic.migration"
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    LOG_FORMAT=json
USER doomkeeper
VOLUME /app/data
ENTRYPOINT ["python", "-m", "bot"]

FROM python:3.11-slim-bookworm AS build
RUN pip install --no-cache-dir "uv>=0.9"
WORKDIR /app
COPY pyproject.toml uv.lock ./
RUN uv sync --frozen --no-dev --extra postgres

FROM python:3.11-slim-bookworm
RUN useradd --create-home --uid 10001 doomkeeper \
    && install -d -o doomkeeper -g doomkeeper /app/data
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY pyproject.toml LICENSE README.md ./
COPY migrations migrations
COPY rules rules
COPY bot bot
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    LOG_FORMAT=json
USER doomkeeper
VOLUME /app/data
ENTRYPOINT ["python", "-m", "bot"]

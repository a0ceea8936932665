"""The routes of interactions: first answers, and the webhook behind each token."""

from typing import Any

from bot.local import payloads
from bot.local.server import Call, Route, Server
from bot.local.webhook_routes import executed, is_webhook, removed

WEBHOOK = "webhooks/{}/{}"


def routes(server: Server) -> list[Route]:
    """Every route of this page."""
    answers = server.answers

    def first(call: Call) -> Any:
        opened = answers.waiting(*call.args)
        answers.first(opened, call.body or {}, call.uploads)
        wants = call.request.query.get("with_response", "0").lower() in ("1", "true")
        return answers.receipt(opened) if wants else None

    def follow_up(call: Call) -> Any:
        if is_webhook(server.world, call):
            return payloads.message(executed(server.world, call))
        opened = answers.answered(*call.args)
        return payloads.message(answers.follow_up(opened, call.body or {}, call.uploads))

    def show(call: Call) -> Any:
        application, token, which = call.args
        return payloads.message(answers.message_of(answers.answered(application, token), which))

    def change(call: Call) -> Any:
        application, token, which = call.args
        opened = answers.answered(application, token)
        message = answers.message_of(opened, which)
        return payloads.message(answers.change(opened, message, call.body or {}, call.uploads))

    def remove(call: Call) -> None:
        if is_webhook(server.world, call):
            return removed(server.world, call)
        application, token, which = call.args
        opened = answers.answered(application, token)
        return answers.remove(opened, answers.message_of(opened, which))

    one = f"{WEBHOOK}/messages/{{}}"
    return [
        Route("POST", "interactions/{}/{}/callback", first, "create_interaction_response", open=True),
        Route("POST", WEBHOOK, follow_up, "execute_webhook", open=True),
        Route("GET", one, show, open=True),
        Route("PATCH", one, change, "update_webhook_message", open=True),
        Route("DELETE", one, remove, open=True),
    ]

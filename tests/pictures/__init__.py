"""The pictures of the README, taken from the table in the browser; `python -m tests.pictures` makes them."""

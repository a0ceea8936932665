"""The local table in a browser: seats, views as JSON, and the page that shows them."""

"""The web server and its page."""

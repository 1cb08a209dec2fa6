"""One module per request of the protocol, or per family of them."""

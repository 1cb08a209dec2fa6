"""One server for all tests that do not care how it was started: a start costs more than most conversations."""

from collections.abc import Iterator

import pytest

from tests.server.conversation import Conversation, initialized


@pytest.fixture(scope="session")
def shared_server() -> Iterator[Conversation]:
    with initialized() as conversation:
        yield conversation


@pytest.fixture
def conversation(shared_server: Conversation) -> Conversation:
    """A server with no client capabilities, no open document and no settings; many tests share it."""
    shared_server.begin_again()
    return shared_server

"""The server as a process of its own: the only part of the server with threads, processes, sockets and files."""

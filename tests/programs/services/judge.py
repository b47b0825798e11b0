"""A service that breaks as it is told to, and judges whoever asks it; it listens at the socket that is its standard input."""

import os
import socket

# As a model does: a part of an answer after the other. Who hangs up at a bad one is seen to.
os.environ["LLMOCK_STREAM_CHUNK_DELAY_MS"] = "20"

import uvicorn
from llmock.main import app

uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[socket.socket(fileno=0)])

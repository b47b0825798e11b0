"""llama.cpp's own server: `serve_model.py MODEL PORT`; it prints its address, and serves until it is ended. Port 0: any that is free."""

import signal
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = int(sys.argv[2])
params.n_parallel = 4
params.n_ctx = 4 * 8192
params.n_threads_http = 4
params.warmup = False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
signal.pause()

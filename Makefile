# make demo   build, play the quickstart event, print its standings
# make test   install what the tests need, run them all
# make check  format, lints, tests: what CI runs
# make dutch-check   random tournaments beside other pairing programs (Python packages): some ten minutes
# make tie-breaks-check   random tournaments beside the wording of the tie-breaks: a minute or two
# make bench  speed of play, CPU and memory beside the floor; truth of times; speed of pairing, of standings and of plans
.PHONY: demo test check fmt clippy test-tools bench bench-pairing bench-standings bench-plan openings-check tie-breaks-check dutch-check

CARGO ?= cargo
# Snapshots are compared by a test run, never written.
export INSTA_UPDATE = no

demo:
	$(CARGO) build --release --workspace --bins
	./target/release/swissmatch run configs/quickstart.toml --fresh

check: fmt clippy test

fmt:
	$(CARGO) fmt --all -- --check

clippy:
	$(CARGO) clippy --workspace --all-targets -- -D warnings

test-tools:
	sh tests/install-tools.sh

test: test-tools
	$(CARGO) build --workspace --bins
	if $(CARGO) nextest --version >/dev/null 2>&1; then \
	  $(CARGO) test --workspace --doc && $(CARGO) nextest run --workspace; \
	else $(CARGO) test --workspace; fi

bench: bench-pairing bench-standings bench-plan
	$(CARGO) build --release --workspace --bins
	$(CARGO) bench --bench hosting
	$(CARGO) bench --bench timing
	$(CARGO) bench --bench slow

bench-pairing:
	$(CARGO) bench --bench pairing

bench-standings:
	$(CARGO) bench --bench standings

tie-breaks-check:
	SWISSMATCH_LONG=1 $(CARGO) test --release --test core tie_breaks:: -- --nocapture

bench-plan:
	$(CARGO) bench --bench plan

openings-check:
	SWISSMATCH_LONG=1 $(CARGO) test --release --test core openings:: -- --nocapture

dutch-check:
	python3 -m venv target/oracles
	target/oracles/bin/pip install --quiet caissify-pairings==0.5.0 py4swiss==0.3.1
	SWISSMATCH_LONG=1 SWISSMATCH_ORACLES=$(CURDIR)/target/oracles $(CARGO) test --release --test core dutch::other_programs:: -- --nocapture

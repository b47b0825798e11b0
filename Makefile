# make archive   what a release has: the programs in target/swissmatch-VERSION-x86_64-linux.tar.gz, and its SHA-256 beside it
# make demo   build, play the quickstart event, print its standings
# make test   install what the tests need, run them all
# make web    the front end of the page, which the program embeds; where there is no node, nothing
# make docs   write what follows from the code: docs/keys.md, docs/match.md, the JSON Schema, data of tests
# make llm-demo   a short event of SmolLM2, a small language model that is fetched (93 MB), at llama.cpp's own server: some minutes
# make pictures   docs/pictures: the page of real runs, in Chromium; a minute
# make texts  target/texts.md: all help, messages and pages in one file, to be read at a stretch
# make check  format, lints, tests: what CI runs; with ORACLES=… also make oracles
# make deny   licences and sources of what we depend on, and nothing twice without a reason (deny.toml); make advisories, by the
#             network: known faults of it
# make compare OLD=… [ONLY=…]   what another build, the program OLD, says and writes in the whole-program tests and more, beside this
#             one: an hour; ONLY="desk:: corpus::" takes the tests and parts with such names
# make oracles DIR=…   files of others that are not in the repository: hard positions, real tournaments, published tables, matches, prompts
# make dutch-check   random tournaments beside other pairing programs (Python packages): some ten minutes
# make tie-breaks-check   random tournaments beside the wording of the tie-breaks: a minute or two
# make statistics-check   intervals of ratings in 2,000 simulated events of each kind, error rates of the test in 20,000 matches at
#             each strength: some minutes
# make openings-check   the value of each bundled opening, by stockfish: some minutes
# make unbalanced-suite   makes configs/unbalanced.pgn, by stockfish: a quarter of an hour
# make long   tests that do something at random, as long as they can: 400 kills, 350 of workers, 50 amid calls to models, 800 calls that fail,
#             300 power cuts; they print their figures; and a hundred times as many random bytes, forged logs and acts of arbiters;
#             tables of a run read by pandas
# make clocks-check   clocks on a machine that has too much to do: some minutes, on a machine that has nothing else to do
# make endurance   an hour (MINUTES=N: another length) of agents that fail and of killings of the runner, beside it one of workers that are lost
# make vm-check   the units of configs/deploy in a machine of its own, under emulation: control groups, hostile agents, kills, stops and a
#             power cut, podman, a worker behind ssh; as root, some fifteen minutes
# make bench  speed of play, CPU and memory beside the floor; truth of times; speed of pairing, of
#             standings, of whole runs, of plans, of reading PGN and of ratings; memory and time of a match of a million games;
#             a league with a year behind it;
#             the page of large events, written and in Chromium; what models cost, 200 games at once;
#             what a thousand viewers of the page cost, also where all come late (two minutes); what it costs that workers play
.PHONY: archive demo llm-demo web docs pictures texts test check fmt clippy deny advisories test-tools compare bench bench-lint bench-pairing bench-standings bench-run bench-plan bench-pgn bench-ratings bench-long-match bench-league bench-page bench-viewers bench-workers oracles openings-check unbalanced-suite statistics-check tie-breaks-check dutch-check clocks-check long vm-check endurance

CARGO ?= cargo
# What releases and tests are built with.
FEATURES = --features workers
# Snapshots are compared by a test run, never written.
export INSTA_UPDATE = no

demo: web
	$(CARGO) build --release --bins
	./target/release/swissmatch run configs/quickstart.toml --out results/quickstart --fresh

llm-demo: web test-tools
	$(CARGO) build --release --bins
	sh tests/programs/services/demo.sh

# The name that action.yml and `league init` ask for.
ARCHIVE = swissmatch-$(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)-x86_64-linux.tar.gz

archive:
	sh web/make.sh must
	$(CARGO) build --release --locked --bins $(FEATURES)
	tar -czf target/$(ARCHIVE) LICENSE -C target/release swissmatch random-mover greedy alphabeta
	cd target && sha256sum $(ARCHIVE) > $(ARCHIVE).sha256

web:
	sh web/make.sh

docs:
	SWISSMATCH_WRITE_DOCS=1 $(CARGO) test $(FEATURES) --test core -- keys:: kept_run::its_tables

pictures:
	sh web/make.sh must
	$(CARGO) build --release --bins
	node web/tools/pictures.mjs target/release/swissmatch docs/pictures

texts:
	$(CARGO) test $(FEATURES) --test core -- --ignored texts::

# Clippy's driver is rustc with the lints: what is tested was linted as it was compiled, once.
check: export RUSTC_WORKSPACE_WRAPPER = $(shell rustup which clippy-driver 2>/dev/null || command -v clippy-driver)
check: export CLIPPY_ARGS = -D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
check: fmt deny test
	$(if $(ORACLES),$(MAKE) oracles DIR=$(ORACLES))

fmt:
	$(CARGO) fmt --all -- --check

clippy:
	$(CARGO) clippy --workspace $(FEATURES) --lib --bins --examples --tests -- -D warnings

deny: test-tools
	target/workflow-tools/bin/cargo-deny check licenses bans sources

advisories: test-tools
	target/workflow-tools/bin/cargo-deny check advisories

test-tools:
	sh tests/install-tools.sh

test: test-tools
	sh web/make.sh must
	# All at once: what tests depend on has features that the programs alone would not ask for. The tests of the front end mostly wait
	# for a browser, so they run beside it.
	npm --prefix web --silent test & page=$$!; \
	$(CARGO) build --workspace $(FEATURES) --bins --examples --tests; built=$$?; \
	wait $$page && exit $$built
	if $(CARGO) nextest --version >/dev/null 2>&1; then \
	  sh tests/in-memory.sh $(CARGO) test --workspace $(FEATURES) --doc && sh tests/in-memory.sh $(CARGO) nextest run --workspace $(FEATURES); \
	else sh tests/in-memory.sh $(CARGO) test --workspace $(FEATURES); fi

# The only way in which benches are compiled: so they are linted here.
bench: bench-lint bench-pairing bench-standings bench-run bench-plan bench-pgn bench-ratings bench-long-match bench-league bench-page bench-viewers bench-workers
	$(CARGO) build --release --workspace --bins
	$(CARGO) bench --bench hosting
	$(CARGO) bench --bench timing
	$(CARGO) bench --bench slow
	$(CARGO) bench --bench live
	$(CARGO) bench --bench floods
	$(CARGO) bench --bench models

bench-lint:
	$(CARGO) clippy --workspace $(FEATURES) --benches -- -D warnings

bench-pairing:
	$(CARGO) bench --bench pairing

bench-standings:
	$(CARGO) bench --bench standings

bench-run:
	$(CARGO) bench --bench run

bench-plan:
	$(CARGO) bench --bench plan

bench-pgn:
	$(CARGO) bench --bench pgn

bench-ratings:
	$(CARGO) bench --bench ratings

bench-long-match:
	$(CARGO) bench --bench long_match

bench-league:
	$(CARGO) build --release --bins
	$(CARGO) bench --bench league

bench-page:
	sh web/make.sh must
	$(CARGO) bench --bench page

bench-viewers:
	$(CARGO) bench --bench viewers
	LATE=1 $(CARGO) bench --bench viewers

bench-workers: test-tools
	$(CARGO) build --release --bins $(FEATURES)
	$(CARGO) bench $(FEATURES) --bench workers

compare:
	@test -n "$(OLD)" || { echo "make compare OLD=PROGRAM: swissmatch of another build"; exit 2; }
	$(CARGO) build --workspace $(FEATURES) --bins --examples --tests
	./target/debug/examples/compare "$(abspath $(OLD))" $(ONLY)

oracles:
	@test -n "$(DIR)" || { echo "make oracles DIR=FOLDER: which has dutch-edge, real, tiebreak/published, stats and prompts"; exit 2; }
	SWISSMATCH_ORACLES="$(abspath $(DIR))" $(CARGO) test --workspace $(FEATURES) --test core oracles:: -- --ignored

dutch-check:
	python3 -m venv target/other-programs
	target/other-programs/bin/pip install --quiet caissify-pairings==0.5.0 py4swiss==0.3.1
	SWISSMATCH_PYTHON=$(CURDIR)/target/other-programs/bin/python \
	  $(CARGO) test --release --test core dutch::other_programs:: -- --ignored --nocapture

tie-breaks-check:
	$(CARGO) test --release --test core tie_breaks::compare:: -- --include-ignored --nocapture

statistics-check:
	$(CARGO) test --release -p swissmatch-stats --lib rating::tests::coverage:: -- --ignored --nocapture
	$(CARGO) test --release -p swissmatch-stats --lib sprt::tests::error_rates:: -- --ignored --nocapture

openings-check: test-tools
	$(CARGO) test --release --test core openings:: -- --ignored --nocapture --skip openings::maker::

unbalanced-suite: test-tools
	$(CARGO) test --release --test core openings::maker:: -- --ignored --nocapture

clocks-check: test-tools
	$(CARGO) build --workspace $(FEATURES) --bins --examples --tests
	$(CARGO) test $(FEATURES) --test whole clock:: -- --ignored --nocapture --test-threads 1

long:
	sh tests/install-tools.sh long
	$(CARGO) build --workspace $(FEATURES) --bins --examples --tests
	$(CARGO) test $(FEATURES) --test whole database:: -- --ignored --nocapture
	SWISSMATCH_LONG=1 $(CARGO) test $(FEATURES) --test whole -- --nocapture --test-threads 1 \
	  killing_at_any_instant killed_at_any_instant killed_at_a_point calls_outlive calls_that_fail power_cuts
	SWISSMATCH_LONG=1 $(CARGO) test $(FEATURES) --test core -- readers:: forged:: arbiter::any::

endurance: test-tools
	$(CARGO) build --workspace $(FEATURES) --bins --examples --tests
	$(CARGO) test $(FEATURES) --test whole endurance:: -- --ignored --nocapture

vm-check: test-tools
	$(CARGO) build --workspace $(FEATURES) --bins --examples --tests
	bash tests/vm/check.sh

# What a contributor runs. The steps themselves are in .ci/run, which needs no make.
BENCH_DATA ?= $(HOME)/.cache/veridical-bench
BIN := .venv/bin
RESOLVE := $(BIN)/uv --no-config pip compile --system-certs --universal \
	--python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links --quiet --upgrade
COMPILE := $(RESOLVE) pyproject.toml --all-extras

.PHONY: all setup assets check audit quick test test-fast test-full coverage dist install docs site site-versions reference charts screenshots format bench bench-smoke lock sbom clean

all:
	@.ci/run

setup:
	@.ci/run setup

check:
	@.ci/run setup check

audit:
	@.ci/run setup audit

quick: # lint, the fast tests, types and slow tests of what changed: for daily work
	@.ci/run quick

test:
	@.ci/run setup tests

test-fast: # what is pure
	@.ci/run setup fast

test-full: # with every example of a property and every request that is made up
	@VERIDICAL_TESTS=full .ci/run setup tests

coverage: # which lines and branches test-fast runs, beside the floor of pyproject.toml
	@.ci/run setup coverage

dist: # sdist, wheel, bundle for assistants, bill of materials and provenance of a release, in dist/
	@.ci/run setup dist

install: # from a clean clone, as the README says
	@.ci/run setup install

docs:
	@.ci/run setup docs

bench-smoke:
	@.ci/run setup smoke

bench: setup # every figure of docs/benchmarks.md; the data is described in benchmarks/README.md
	$(BIN)/python -m benchmarks.query_check --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.fuzz --json
	$(BIN)/python -m benchmarks.check_cost --json
	$(BIN)/python -m benchmarks.routing --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.patterns --json
	$(BIN)/python -m benchmarks.company --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.onboarding --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.plain_questions --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.facts --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.ticks --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.quotations --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.skills --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.loop_cost --json
	$(BIN)/python -m benchmarks.evals --json
	$(BIN)/python -m benchmarks.repairs --json
	$(BIN)/python -m benchmarks.engines --json
	$(BIN)/python -m benchmarks.cost_guard --json
	$(BIN)/python -m benchmarks.prompt_budget --json
	$(BIN)/python -m benchmarks.mcp_size --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.mcp_client --json
	$(BIN)/python -m benchmarks.durability --json
	$(BIN)/python -m benchmarks.waiting --json
	$(BIN)/python -m benchmarks.server_load --json
	$(BIN)/python -m benchmarks.walls --json
	$(BIN)/python -m benchmarks.console --json
	$(BIN)/python -m benchmarks.search --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.requirements --data $(BENCH_DATA) --json
	$(BIN)/python -m benchmarks.requirements.speed --json
	$(BIN)/python -m benchmarks.search.stages --json

site: setup # the documentation as a site, in build/site; open index.html, no server is needed
	$(BIN)/python -m mkdocs build --strict

site-versions: setup # the site of every release that has one beside this one, in build/versions
	$(BIN)/python -m docs.versions build/versions

reference: setup # writes the generated pages of docs/ anew
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/translations.py

assets: setup # builds the scripts of the console anew, from assets/package-lock.json; commit them
	node assets/build.mjs

charts: setup # draws the tables of docs/benchmarks.md anew
	$(BIN)/python docs/charts.py

screenshots: setup # every page of the console light, dark and on a phone, in build/screenshots
	$(BIN)/python docs/screenshots.py build/screenshots
	$(BIN)/python docs/screenshots.py

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: setup # resolves anew; no index address goes into the files
	$(COMPILE) --output-file requirements/runtime.txt
	$(RESOLVE) pyproject.toml --extra all --constraints requirements/runtime.txt --output-file requirements/all.txt
	$(COMPILE) --group dev --output-file requirements/dev.txt
	$(RESOLVE) --group site --constraints requirements/dev.txt --output-file requirements/site.txt
	$(RESOLVE) pyproject.toml --extra fast --extra server --group adapters --output-file requirements/adapters.txt
	$(RESOLVE) pyproject.toml --extra fast --group guardrails --output-file requirements/guardrails.txt

sbom: setup # what a running Veridical is made of, as CycloneDX
	$(BIN)/python requirements/sbom.py dist/veridical.cdx.json

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache .mypy_cache dist build

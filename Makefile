# The two commands: `make run` and `make test`. Both start from a fresh clone.

CARGO ?= cargo
export CARGO_TERM_COLOR ?= auto

# What the client is made of; its build is embedded in the server.
CLIENT := $(shell find web/src web/public -type f 2>/dev/null) web/index.html web/package.json web/vite.config.ts

.PHONY: help run release test soak bench fmt lint deny docs unit web webtest browser contracts described \
  fits shots fonts curl nginx chromium wire dist

help: ## List the commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

run: web ## Build everything and serve on http://127.0.0.1:7777
	$(CARGO) run --release --locked --bin parlor -- serve

release: web ## Build the program as it is handed out and measured, target/fast/parlor
	$(CARGO) build --profile fast --locked --bin parlor

dist: release ## Make a release archive with its checksum, in target/dist
	packaging/dist.sh target/fast/parlor target/dist

test: web webtest lint deny unit browser described docs ## Format, lints, every test, documentation

soak: EXAMPLES := 300
soak: contracts ## What takes long: the server against its OpenAPI with many more examples

web: web/dist/built ## Build the client, from its lock file

# Not `npm ci`: it wants the bundler's builds for every platform in the lock
# file, also where a registry does not have them. This takes the same versions.
web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm install --no-save
	@touch $@

web/dist/built: web/node_modules/.package-lock.json $(CLIENT)
	cd web && npm run build
	@touch $@

webtest: web ## Types and units of the client
	cd web && npm run check && npm test

browser: web chromium ## Play in a real browser, against the real program
	@# As `unit` builds it, so that nothing is built twice.
	$(CARGO) test --workspace --locked --no-run
	cd web && npm run test:browser

fits: fonts chromium web ## Measure that every page and moment fits a phone, in each language
	$(CARGO) build --locked --bin parlor
	cd web && PARLOR_FITS=1 npm run test:browser -- tests/fits.test.ts

shots: fonts chromium web ## Take a picture of every page and moment, to be looked at, in web/shots
	$(CARGO) build --locked --bin parlor
	cd web && PARLOR_SHOTS=shots npm run test:browser -- tests/fits.test.ts

# The first exchanges on the pages of the contracts use them.
curl:
	@command -v curl >/dev/null && command -v jq >/dev/null || (apt-get update && apt-get install -y --no-install-recommends curl jq)

# Tests stand behind it, as the page on running a server shows.
nginx:
	@command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || (apt-get update && apt-get install -y --no-install-recommends nginx-light)

chromium:
	@command -v chromium >/dev/null || (apt-get update && apt-get install -y --no-install-recommends chromium)

fonts:
	@fc-list | grep -q 'Noto Sans CJK' || (apt-get update && apt-get install -y --no-install-recommends fontconfig fonts-noto-core fonts-noto-cjk)

# The tools are installed beside the build, not in the repository.
TOOLS := $(CURDIR)/target/contracts
DESCRIBED := cli/tests/described
EXAMPLES ?= 25

contracts: $(TOOLS)/installed ## Hold the server against its OpenAPI and AsyncAPI documents
	@# As `unit` builds it, so that nothing is built twice.
	$(CARGO) build --workspace --locked --bin parlor
	$(DESCRIBED)/run.sh $(CURDIR)/target/debug/parlor $(TOOLS)/venv $(TOOLS)/node_modules $(EXAMPLES)

$(TOOLS)/installed: $(DESCRIBED)/requirements.txt $(DESCRIBED)/package-lock.json
	mkdir -p $(TOOLS)
	python3 -m venv $(TOOLS)/venv
	$(TOOLS)/venv/bin/pip install --quiet --requirement $(DESCRIBED)/requirements.txt
	cp $(DESCRIBED)/package.json $(DESCRIBED)/package-lock.json $(TOOLS)
	cd $(TOOLS) && npm ci --no-audit --no-fund --ignore-scripts
	@touch $@

described:
	@if [ -e $(TOOLS)/installed ]; then $(MAKE) contracts; \
	else echo 'make described: schemathesis is not installed (make contracts does it); not checked'; fi

wire: ## Write the client's types anew from the dialects' schemas
	PARLOR_WRITE_WIRE=1 $(CARGO) test --locked -p parlor-house --test wire_types

unit: web curl nginx ## Every test: unit, property, golden, store, the real binary
	$(CARGO) test --workspace --locked

lint: web ## Formatting and clippy, warnings as errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

# The advisories lie elsewhere: without a network what is at hand is checked.
deny: ## Licences, sources, duplicates and known flaws of what we depend on, by cargo-deny
	@if command -v cargo-deny >/dev/null; then \
	  $(CARGO) deny --locked check licenses bans sources && \
	  if $(CARGO) deny --locked fetch db; then $(CARGO) deny --locked check advisories; \
	  else echo 'make deny: the advisories cannot be fetched; not checked'; fi; \
	else echo 'make deny: cargo-deny is not installed (cargo install cargo-deny --locked); not checked'; fi

docs: ## Build the documentation, warnings as errors
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

fmt: ## Format the code
	$(CARGO) fmt --all

bench: web chromium ## Measure, in one run, with medians and ratios
	$(CARGO) build --profile fast --locked --bin parlor --bin parlor-bench
	target/fast/parlor-bench
	cd web && PARLOR_MEASURE=1 PARLOR_BIN=$(CURDIR)/target/fast/parlor npm run test:browser -- tests/latency.test.ts

# The two commands: `make run` and `make test`. Both start from a fresh clone.

CARGO ?= cargo
export CARGO_TERM_COLOR ?= auto

.PHONY: help run test bench fmt lint docs unit

help: ## List the commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

run: ## Build everything and serve on http://127.0.0.1:7777
	$(CARGO) run --release --locked --bin parlor -- serve

test: lint unit docs ## Format, lints, every test, documentation

unit: ## Every test: unit, property, golden, store, the real binary
	$(CARGO) test --workspace --locked

lint: ## Formatting and clippy, warnings as errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

docs: ## Build the documentation, warnings as errors
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

fmt: ## Format the code
	$(CARGO) fmt --all

bench: ## Measure, in one run, with medians and ratios
	$(CARGO) build --release --locked --bin parlor --bin parlor-bench
	target/release/parlor-bench

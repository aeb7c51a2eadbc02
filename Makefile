# make demo, make test: the two commands. Everything they need beyond Python, pip and a C++ compiler they fetch by pip.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
FORMATTED := $(shell find cpp bindings -name '*.[ch]pp' -o -name '*.inl' 2>/dev/null)
NATIVE := $(shell find cpp bindings -name '*.[ch]pp' -o -name '*.inl' 2>/dev/null) CMakeLists.txt pyproject.toml

.PHONY: demo test install lint stub web-test native-test sanitize instruction-sets slow-test fuzz bench docs pictures dist clean
.DEFAULT_GOAL := demo

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# The build tools live in the environment, so that a second build compiles only what changed.
$(VENV)/.build-tools: $(BIN)/python
	$(BIN)/pip install -q --upgrade pip
	$(BIN)/pip install -q "scikit-build-core>=0.12" "nanobind==3.1.0" cmake ninja
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

# The scripts of the face: types and unit tests. Node is needed for this alone.
web-test:
	@if ! command -v npm >/dev/null; then echo "there is no npm here: the scripts of the face are not checked"; else \
	  { [ -d node_modules/lit ] || npm ci --silent --no-audit --no-fund; } && npm run -s types && npm run -s test && npm run -s vendor -- --check; fi

# What hangs ends after ten minutes and tells where.
test: lint native-test web-test
	$(BIN)/python -m pytest -n 2 --timeout 600

# The pinned answers on each instruction set; on a processor that lacks one, the best that it has stands in.
instruction-sets: $(VENV)/.test-tools
	for set in sse2 avx2 avx512; do KIBITZ_ISA=$$set $(BIN)/python -m pytest tests/test_signature.py || exit 1; done

slow-test: $(VENV)/.test-tools
	$(BIN)/python -m pytest -m slow $(SLOW)

fuzz: $(VENV)/.test-tools
	$(BIN)/python -m tests.fuzz --count 1000000 --seconds $${SECONDS_OF_FUZZ:-120}

bench: $(VENV)/.test-tools
	for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

# The site of the docs, into build/site.
$(VENV)/.docs-tools: $(VENV)/.installed
	$(BIN)/pip install -q --group docs
	@touch $@

pictures: $(VENV)/.test-tools
	$(BIN)/python -m tools.pictures

docs: $(VENV)/.docs-tools
	$(BIN)/python -m tools.docs

# What is published, into dist/: built, installed where there is no compiler, and tried there.
dist: $(VENV)/.build-tools
	$(BIN)/python -m tools.dist

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

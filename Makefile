# What a person does here. `make demo` and `make test` need only Python 3.11, g++ and make.
PYTHON ?= python3
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -c constraints.txt
SHOW := @$(PYTHON) scripts/show.py
CORE := $(shell find core -type f) CMakeLists.txt pyproject.toml
EXTRA = $(shell $(BIN)/python -c "import tomllib; \
  extras = tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']; \
  print(*(name for extra in '$(1)'.split() for name in extras[extra]))")

.PHONY: demo test test-slow abuse check check-page screenshots check-clang check-aarch64 package tag format build sanitize \
  sanitize-threads bench bench-learning zoo docs clean

# The times are those of two cores; of a quicker machine they are the most.
demo:
	@test -e $(VENV)/learn -a -e $(VENV)/built || echo "The first time this takes about 10 minutes and" \
	  "1.6 GB of disk, nearly all in $(VENV): a minute for libraries, 3 for the build, 6 for the demo."
	@$(MAKE) --no-print-directory build $(VENV)/learn
	@$(BIN)/ludus demo

test: build $(VENV)/tools $(VENV)/adapters $(VENV)/cluster $(VENV)/page
	$(BIN)/pytest -n $(WORKERS) -m "not slow"

test-slow: build $(VENV)/tools $(VENV)/adapters $(VENV)/cluster $(VENV)/page $(VENV)/docs
	$(BIN)/pytest -n $(WORKERS)

# Attacks on files, loaders and native objects, with new seeds until the minutes are over.
MINUTES ?= 5
abuse: build $(VENV)/tools
	$(BIN)/python -m tests.abuse --minutes $(MINUTES)

check: build $(VENV)/tools check-page
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/clang-format --dry-run -Werror $$(git ls-files '*.hpp' '*.cpp')
	$(BIN)/mypy

# The types of the page, by TypeScript; the page itself is served as it is written.
check-page:
	@if command -v npm > /dev/null; then \
	  $(MAKE) -s node_modules/.package-lock.json && node_modules/.bin/tsc -p jsconfig.json; \
	else echo "check-page: there is no npm here, so the types of the page are not checked"; fi

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --silent --no-audit --no-fund
	touch $@

# Every game in both themes and three sizes into build/screenshots, and those of the README.
screenshots: build $(VENV)/page
	$(BIN)/python scripts/screenshots.py

format: $(VENV)/tools
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $$(git ls-files '*.hpp' '*.cpp')

build: $(VENV)/built

# Native code under the address and undefined-behaviour sanitizers: ten million random plies of
# all games with the laws checked after each, memory that fails at every allocation, then the
# Python tests of games and core.
SANITIZE := build/sanitize
SOAK_PLIES ?= 10000000
sanitize: build $(VENV)/tools
	$(BIN)/cmake -G Ninja -S . -B $(SANITIZE) -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLUDUS_SANITIZE=ON -DLUDUS_NATIVE_TESTS=ON -DSKBUILD=1 \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
	  -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) > /dev/null
	$(BIN)/cmake --build $(SANITIZE)
	$(BIN)/python scripts/soak.py $(SOAK_PLIES) $(SANITIZE)/soak
	$(SANITIZE)/starve
	$(BIN)/python scripts/sanitized_tests.py $(SANITIZE)

# Threads under the thread sanitizer: every piece of the core that starts any. Where the kernel
# spreads addresses too far for it, it runs with addresses that are not spread, if that is allowed.
THREADS := build/sanitize-threads
sanitize-threads: $(VENV)/created
	$(BIN)/cmake -G Ninja -S . -B $(THREADS) -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLUDUS_SANITIZE_THREADS=ON -DLUDUS_NATIVE_TESTS=ON > /dev/null
	$(BIN)/cmake --build $(THREADS)
	@if $(THREADS)/threads nothing 2> /dev/null; then run=; \
	elif setarch -R $(THREADS)/threads nothing 2> /dev/null; then run="setarch -R"; \
	else echo "sanitize-threads: the thread sanitizer cannot run on this kernel, not even with" \
	  "'setarch -R'; try another machine" >&2; exit 1; fi; \
	$$run $(THREADS)/counters && $$run $(THREADS)/threads

# Another compiler reads the same code: the first step towards systems that have no GCC.
CLANG ?= clang++-16
check-clang: $(VENV)/created
	@command -v $(CLANG) > /dev/null || { \
	  echo "check-clang: no $(CLANG); install it with 'apt-get install -y clang-16'," \
	    "or name another from 16 on with CLANG=..." >&2; exit 1; }
	$(BIN)/cmake -G Ninja -S . -B build/clang -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=$(CLANG) -DCMAKE_CXX_FLAGS=-Werror \
	  -DLUDUS_NATIVE_TESTS=ON -DSKBUILD=1 -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
	  -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) > /dev/null
	$(BIN)/cmake --build build/clang --target _core soak counters threads
	build/clang/counters
	build/clang/threads

# Another processor comes to the same: games, searches and solvers built for ARM and run by QEMU,
# beside those of here. No module for Python is built: that needs a Python for ARM.
AARCH64 := build/aarch64
NATIVE := build/native
AARCH64_PLIES ?= 300000
QEMU_AARCH64 := qemu-aarch64 -L /usr/aarch64-linux-gnu
CMAKE_HERE = $(BIN)/cmake -G Ninja -S . -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DCMAKE_BUILD_TYPE=Release
check-aarch64: build
	@command -v aarch64-linux-gnu-g++ > /dev/null && command -v qemu-aarch64 > /dev/null || { \
	  echo "check-aarch64: no cross compiler or no QEMU; install them with" \
	    "'apt-get install -y g++-aarch64-linux-gnu qemu-user'" >&2; exit 1; }
	$(CMAKE_HERE) -B $(NATIVE) -DLUDUS_NATIVE_TESTS=ON > /dev/null
	$(CMAKE_HERE) -B $(AARCH64) -DLUDUS_NATIVE_TESTS=ON > /dev/null \
	  -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/tests/native/aarch64.cmake
	$(BIN)/cmake --build $(NATIVE) --target signature truths
	$(BIN)/cmake --build $(AARCH64) --target signature truths soak counters threads
	$(BIN)/python scripts/compare_native.py $(NATIVE) $(AARCH64) $(QEMU_AARCH64)
	$(BIN)/python scripts/soak.py $(AARCH64_PLIES) $(QEMU_AARCH64) $(AARCH64)/soak
	$(QEMU_AARCH64) $(AARCH64)/counters
	$(QEMU_AARCH64) $(AARCH64)/threads

# What strangers install: the source distribution, the wheel made of it, and both tried in new
# environments without a compiler. PYTHONS names interpreters; one wheel serves all from 3.12 on.
PYTHONS ?= $(PYTHON)
package: $(VENV)/created
	$(BIN)/python scripts/package.py $(PYTHONS)

# The tag of a release, where version, changelog and tags are in step.
tag:
	@$(PYTHON) scripts/tag.py

# The documentation as a site, from docs/ and from what the code says of itself. A warning ends it.
docs: build $(VENV)/docs
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -d build/docs-cache docs build/docs
	@echo "the site is in build/docs/index.html"

bench: build $(VENV)/learn $(VENV)/peers $(VENV)/adapters
	$(BIN)/python benchmarks/all.py $(if $(QUICK),--quick)

# An hour alone on the machine: what fixed minutes of training come to (NOTE says what was changed).
bench-learning: build $(VENV)/learn
	$(BIN)/python benchmarks/learning.py --keep --note "$(NOTE)"

# Entries of the zoo again from their cards, into build/zoo, and compared: `make zoo NAME=connect4`,
# or all of them, which takes hours. What was begun goes on.
zoo: build $(VENV)/learn
	$(BIN)/python scripts/zoo.py remake $(NAME)

clean:
	rm -rf build $(VENV)

$(VENV)/created: constraints.txt
	$(SHOW) "making $(VENV)" $(PYTHON) -m venv $(VENV)
	$(SHOW) "installing what the build needs" $(PIP) cmake ninja nanobind scikit-build-core filelock numpy platformdirs psutil rich scipy
	touch $@

# An editable install: Python files are live once known, native ones are rebuilt when they change.
# One that was made when the distribution was called `ludus` would hide the new files.
$(VENV)/built: $(VENV)/created $(CORE) build/python-files build/fast
	@! ls $(VENV)/lib/python*/site-packages/ludus-*.dist-info > /dev/null 2>&1 || \
	  $(BIN)/python -m pip uninstall -q -y ludus
	$(SHOW) "building the native core" env PATH="$(CURDIR)/$(BIN):$$PATH" \
	  $(PIP) -v --no-build-isolation --no-deps -e .
	touch $@

# Changes only when LUDUS_FAST does, which is 0 for a build that is quick and runs slowly.
build/fast: FORCE
	@mkdir -p build
	@echo "$(LUDUS_FAST)" | cmp -s - $@ || echo "$(LUDUS_FAST)" > $@

# Changes only when a Python file comes or goes, which an editable install must be told.
build/python-files: FORCE
	@mkdir -p build
	@find src -name '*.py' | sort | cmp -s - $@ || find src -name '*.py' | sort > $@
FORCE:

$(VENV)/learn: $(VENV)/created pyproject.toml
	$(SHOW) "installing torch and what reports and the page need" \
	  $(PIP) $(call EXTRA,learn report serve)
	touch $@

$(VENV)/tools: $(VENV)/learn pyproject.toml
	$(SHOW) "installing what checks and tests need" $(PIP) $(call EXTRA,check test)
	touch $@

# What makes the site. Where it is missing the test that makes it is skipped.
$(VENV)/docs: $(VENV)/learn pyproject.toml
	$(SHOW) "installing what makes the site" $(PIP) $(call EXTRA,docs)
	touch $@

# Libraries that the environment adapters are for. Of two builds of one torch pip takes the one that
# is marked as for the CPU, if it is offered. Where they are missing the tests of the adapters are skipped.
$(VENV)/adapters: $(VENV)/created pyproject.toml
	$(SHOW) "installing the libraries of the adapters" \
	  $(PIP) $(call EXTRA,pettingzoo gymnasium torchrl test-adapters)
	touch $@

# What moves work to other machines. Where it is missing the tests that need it are skipped.
$(VENV)/cluster: $(VENV)/created pyproject.toml
	$(SHOW) "installing Ray" $(PIP) $(call EXTRA,ray)
	touch $@

# What drives a browser over the page. Without chromium or npm the tests that need them are
# skipped; where this may install chromium, it does.
$(VENV)/page: $(VENV)/tools package-lock.json
	$(SHOW) "installing what drives a browser" $(PIP) $(call EXTRA,test-page)
	@command -v chromium > /dev/null || { test "$$(id -u)" = 0 && command -v apt-get > /dev/null && \
	  apt-get update -qq && apt-get install -qq -y chromium; } > /dev/null 2>&1 || \
	  echo "there is no chromium: the tests of the page are skipped"
	@! command -v npm > /dev/null || $(MAKE) -s node_modules/.package-lock.json || \
	  echo "npm could not install axe-core: its tests are skipped"
	touch $@

# cathedral-rl pins a numpy of 2022 that nothing else here accepts, and runs well with ours.
$(VENV)/peers: $(VENV)/created pyproject.toml
	$(SHOW) "installing the peers" $(PIP) $(call EXTRA,bench)
	$(SHOW) "installing cathedral-rl" $(PIP) --no-deps cathedral-rl
	touch $@

# The front door: `make demo` for people, `make test` for everybody who changes something.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
AIRPRINT ?= .build/airprint

# Where the shells look. Debian's zsh reads vendor-completions below /usr, site-functions below /usr/local.
BASH_COMPLETION := $(PREFIX)/share/bash-completion/completions/airprint
ZSH_COMPLETION := $(PREFIX)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)/_airprint
FISH_COMPLETION := $(PREFIX)/share/fish/vendor_completions.d/airprint.fish

# Started by each person who wants it.
SERVICE := $(PREFIX)/lib/systemd/user/airprint-queue.service
DESKTOP := $(PREFIX)/share/applications/airprint.desktop
METAINFO := $(PREFIX)/share/metainfo/io.github.airprint.airprint.metainfo.xml
DOCUMENTS ?= demo $(wildcard ../shared/corpus/good)
DOC := $(PREFIX)/share/doc/airprint

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: pkg-config testing deps deps-build deps-demo deps-package deps-all build demo check test test-fast test-asan test-tsan fuzz bench compare install uninstall deb test-package test-suites format lint generate pictures clean

# Installs what is missing of packaging/packages.txt, and says so first; deps-all also LibreOffice and Chromium. A client
# from PyPI, and what would take over the machine if it were installed, go into folders of the build.
PYTHON := .build/python
UNINSTALLED = packaging/packages.sh --unpack .build/unpacked unpacked && packaging/pyipp.sh $(PYTHON)
deps: ; @packaging/packages.sh build demo test && $(UNINSTALLED)
deps-build: ; @packaging/packages.sh build
deps-demo: ; @packaging/packages.sh build demo
deps-package: ; @packaging/packages.sh build package
deps-all: ; @packaging/packages.sh build demo test large && $(UNINSTALLED)

# For SwiftPM, which finds the libraries' headers by them.
PKG_CONFIG_FILES := $(CURDIR)/.build/pkgconfig
export PKG_CONFIG_PATH := $(PKG_CONFIG_FILES)$(if $(PKG_CONFIG_PATH),:$(PKG_CONFIG_PATH))
pkg-config: ; @packaging/pkg-config.sh $(PKG_CONFIG_FILES)

# The release binary, with Swift's runtime inside. Poppler, cairo and their like are opened when they are
# first needed: commands that draw nothing start without them (CONTRIBUTING.md, Surprises). The folder that it is
# built in is not in it: C++ names its files relative to it, Swift names them in what is stripped alone, and of sums of
# that Swift's modhash is zeros (without that section strip would leave out RELRO, which sid's linker does not make) and
# there is no build ID.
# Swift asks for every function to be exported from a static program: the loader and dladdr(3) would have 12,000 names
# to look through, in place of some 20 (Package.swift).
LATE := .build/late
build: deps-build pkg-config
	@mkdir -p $(LATE)
	@packaging/late-libraries.sh stubs $(LATE) > .build/late-libraries
	COMPILER_PATH=$(CURDIR)/$(LATE) $(SWIFT) build -c release --static-swift-stdlib --product airprint -Xlinker -L$(LATE) \
	  -Xlinker -z -Xlinker lazy -Xlinker --no-export-dynamic -Xlinker --build-id=none -Xcxx -ffile-prefix-map=$(CURDIR)/= \
	  -Xcc "-DAIRPRINT_LATE_LIBRARIES=\"$$(xargs < .build/late-libraries)\""
	@cp .build/release/airprint $(AIRPRINT).new
	@strip --remove-section=.comment --remove-section=.note $(AIRPRINT).new
	@if objcopy --dump-section .swift_modhash=.build/modhash $(AIRPRINT).new 2> /dev/null; then \
	  tr '\001-\377' '\000' < .build/modhash > .build/modhash.zero; \
	  objcopy --update-section .swift_modhash=.build/modhash.zero $(AIRPRINT).new; fi
	@patchelf --remove-rpath $$(sed 's/.*=/--remove-needed /' .build/late-libraries) $(AIRPRINT).new
	@has_relro() { readelf --program-headers --wide $$1 | grep -q GNU_RELRO; }; \
	  ! has_relro .build/release/airprint || has_relro $(AIRPRINT).new
	@$(AIRPRINT).new --version > /dev/null
	@mv $(AIRPRINT).new $(AIRPRINT)
	@echo "Built $(AIRPRINT)."

demo: deps-demo build
	@demo/run.sh $(AIRPRINT)

# What a contribution has to pass, and what CI runs: lint, build, test.
check: test

# What tests are linked and run with, by this Swift. Debian's has no lib_Testing_Foundation, of which no test calls
# anything: an empty one stands in. Swift 6.2 can't say how many tests run at once, so there it is one.
TESTING := $(CURDIR)/.build/testing
SWIFT_RESOURCES = $(shell $(SWIFT)c -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
TEST_LINK = $(if $(wildcard $(SWIFT_RESOURCES)/linux/lib_Testing_Foundation.*),,-Xlinker -L$(TESTING))
WIDTH := --experimental-maximum-parallelization-width
TEST_WIDTH = $(if $(findstring $(WIDTH),$(shell $(SWIFT) test --help-hidden)),$(WIDTH) 8,--no-parallel)
testing: ; @rm -rf $(TESTING) && mkdir -p $(TESTING) && $(if $(TEST_LINK),ar cr $(TESTING)/lib_Testing_Foundation.a,:)

# What failed is printed again at the end: the run has thousands of lines.
test: deps lint pkg-config testing
	$(SWIFT) build --build-tests $(TEST_LINK)
	@{ $(SWIFT) test --skip-build --disable-xctest $(TEST_LINK) $(TEST_WIDTH); \
	  echo $$? > .build/test.status; } 2>&1 | tee .build/test.log; \
	grep -A 12 'recorded an issue' .build/test.log | grep -vE '[◇✔] ' ; exit $$(cat .build/test.status)

# What needs neither a daemon nor the built program: values, parsers, state machines. For the minutes between two edits.
DAEMON_SUITES := HostileLinkTests|SlowAnswersTests|LadderTests|ConnectionTests|ServedTests|BrowseTests|HostLookupTests|DaemonTests|DiscoverTests|DiscoveryFailureTests|UnicastTests|LinkBrowsingTests
test-fast: pkg-config testing
	$(SWIFT) build --build-tests $(TEST_LINK)
	$(SWIFT) test --skip-build --disable-xctest $(TEST_LINK) $(TEST_WIDTH) --skip '^(EndToEnd|GeneratedFiles|TestSupport)Tests|$(DAEMON_SUITES)'

# The suite under AddressSanitizer or ThreadSanitizer, each in a build of its own; only those of SUITES.
# Reports of every process that the tests start come together: a worker's end is one of the things that
# they expect. Leaks are not looked for: what one command loses, its end gives back. Left out is what a
# sanitizer's run time does not stand: walls and limits of workers, another clock, a hundred at once; and
# systemd's services, which the options below do not reach.
SUITES ?= .
UNFIT := ConfinementTests|ClockTests|HostilePDFTests|CrowdTests|SystemdTests
test-asan test-tsan: test-%: deps pkg-config
	$(SWIFT) build --build-tests --sanitize $(SANITIZER) -Xswiftc -DSANITIZED --scratch-path .build/$*
	@rm -rf .build/$*/reports; mkdir .build/$*/reports
	log=log_path=$(CURDIR)/.build/$*/reports/r; export SWIFT_BACKTRACE=enable=no \
	  ASAN_OPTIONS=detect_leaks=0:$$log TSAN_OPTIONS=exitcode=0:suppressions=$(CURDIR)/Tests/tsan.supp:$$log; \
	$(SWIFT) test --skip-build --sanitize $(SANITIZER) -Xswiftc -DSANITIZED --scratch-path .build/$* \
	  --disable-xctest --experimental-maximum-parallelization-width 6 \
	  --filter '$(SUITES)' --skip '$(UNFIT)'; status=$$?; \
	  cat .build/$*/reports/r.* 2> /dev/null && exit 1; exit $$status
test-asan: SANITIZER := address
test-tsan: SANITIZER := thread

# libFuzzer on the parsers of what strangers send (Tests/FuzzTargets), FUZZ_TIME seconds each; only those
# of FUZZ_TARGETS. What breaks one is written to .build/fuzz/crashes: its bytes belong into the corpus.
FUZZ_TARGETS ?= $(notdir $(wildcard Tests/FuzzTargets/Corpus/*))
FUZZ_TIME ?= 60
fuzz: deps pkg-config
	AIRPRINT_FUZZ=1 $(SWIFT) build -c release --product fuzz --sanitize fuzzer --scratch-path .build/fuzz
	@mkdir -p .build/fuzz/crashes
	@for target in $(FUZZ_TARGETS); do mkdir -p .build/fuzz/corpus/$$target; \
	  echo "Fuzzing $$target for $(FUZZ_TIME) s."; \
	  FUZZ_TARGET=$$target SWIFT_BACKTRACE=enable=no .build/fuzz/release/fuzz \
	    -max_total_time=$(FUZZ_TIME) -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 \
	    -artifact_prefix=.build/fuzz/crashes/$$target- \
	    .build/fuzz/corpus/$$target Tests/FuzzTargets/Corpus/$$target || exit 1; done

# Pages that airprint draws otherwise than pdftoppm, mutool and gs do, where these are installed, on a screen's and on
# a printer's resolution, and otherwise from a list than directly.
compare: build
	@Tools/compare/compare.py --airprint $(AIRPRINT) --dpi 100 --dpi 600 $(DOCUMENTS); others=$$?; \
	  Tools/compare/compare.py --airprint $(AIRPRINT) --dpi 100 --dpi 600 --direct $(DOCUMENTS) && exit $$others

bench: deps build
	@bench/run.sh $(AIRPRINT)

# What was built: root needs no Swift.
$(AIRPRINT):
	@$(MAKE) build

install: $(AIRPRINT)
	install -D -m 755 $(AIRPRINT) $(DESTDIR)$(PREFIX)/bin/airprint
	for page in man/*.[157]; do install -D -m 644 $$page \
	  $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/} || exit 1; done
	sed 's|/usr/local/bin|$(PREFIX)/bin|' systemd/airprint-queue.service | \
	  install -D -m 644 /dev/stdin $(DESTDIR)$(SERVICE)
	install -D -m 644 completions/airprint.bash $(DESTDIR)$(BASH_COMPLETION)
	install -D -m 644 completions/_airprint $(DESTDIR)$(ZSH_COMPLETION)
	install -D -m 644 completions/airprint.fish $(DESTDIR)$(FISH_COMPLETION)
	install -D -m 644 packaging/airprint.desktop $(DESTDIR)$(DESKTOP)
	install -D -m 644 packaging/airprint.metainfo.xml $(DESTDIR)$(METAINFO)
	install -D -m 644 -t $(DESTDIR)$(DOC) README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE
	for file in docs/*.* docs/pictures/* docs/receipt/*.png bench/RESULTS.md; do \
	  install -D -m 644 $$file $(DESTDIR)$(DOC)/$$file || exit 1; done
	rm $(DESTDIR)$(DOC)/docs/*.sh
	install -D -m 644 -t $(DESTDIR)$(DOC)/examples packaging/config.toml examples/*.* \
	  docs/receipt/till.receipt docs/receipt/bean.png
	install -D -t $(DESTDIR)$(DOC)/examples/systemd systemd/examples/*
	sed -i 's|/usr/local/|$(PREFIX)/|' $(DESTDIR)$(DOC)/examples/systemd/*
	chmod 644 $(DESTDIR)$(DOC)/examples/systemd/*.*
	install -D -m 644 -t $(DESTDIR)$(DOC)/examples/converters Sources/Settings/converters/*.toml

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/airprint $(DESTDIR)$(SERVICE) \
	  $(DESTDIR)$(PREFIX)/share/man/man1/airprint.1 \
	  $(DESTDIR)$(PREFIX)/share/man/man1/airprint-*.1 \
	  $(DESTDIR)$(PREFIX)/share/man/man5/airprint-*.5 $(DESTDIR)$(PREFIX)/share/man/man7/airprint-*.7 \
	  $(DESTDIR)$(BASH_COMPLETION) $(DESTDIR)$(ZSH_COMPLETION) $(DESTDIR)$(FISH_COMPLETION) \
	  $(DESTDIR)$(DESKTOP) $(DESTDIR)$(METAINFO)
	rm -rf $(DESTDIR)$(DOC)

# The Debian package, in .build.
deb: deps-package build
	@rm -rf .build/deb .build/airprint_*.deb
	@umask 022; $(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=.build/deb > /dev/null
	@packaging/deb.sh $(AIRPRINT) .build/release/airprint .build/deb .build
	@lintian --fail-on error .build/airprint_*.deb

# The package in a new Debian, by debootstrap: installed, printed with, removed. SUITE=trixie makes it there, too.
OWN_SUITE := $(shell . /etc/os-release && echo $${VERSION_CODENAME:-sid})
SUITE ?= $(OWN_SUITE)
test-package: package-of-$(if $(filter $(OWN_SUITE),$(SUITE)),here,$(SUITE))
	@$(SUDO) packaging/test.sh $(SUITE) .build/packages/$(SUITE)/airprint_*.deb
package-of-here: deb
	@mkdir -p .build/packages/$(SUITE) && cp .build/airprint_*.deb .build/packages/$(SUITE)
package-of-%:
	@mkdir -p .build/packages/$*
	@$(SUDO) env PATH="$(PATH)" Tools/suites/run.sh --out '.build/airprint_*.deb=.build/packages/$*' $* 'make deb'

# Everything in bare systems of other suites than this machine's: the demo, the tests, the package.
OTHER_SUITES ?= trixie sid
test-suites:
	@for suite in $(OTHER_SUITES); do echo "Debian $$suite:" && \
	  $(SUDO) env PATH="$(PATH)" Tools/suites/run.sh $$suite 'make demo && make test' && \
	  $(MAKE) --no-print-directory test-package SUITE=$$suite || exit 1; done

format:
	$(SWIFT) format format --in-place --recursive Package.swift Sources Tests Tools

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Tools

# Manual pages and completions from the commands themselves.
generate:
	$(SWIFT) run --quiet GenerateDocs .

# The pictures of the README and of docs/, by airprint itself.
pictures: deps build
	@docs/pictures.sh $(AIRPRINT)

clean:
	rm -rf .build

# The main targets: `make demo` for users, `make test` for contributors.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
AIRPRINT ?= .build/airprint

# The folders that the shells search. Debian's zsh uses vendor-completions below /usr, site-functions below
# /usr/local.
BASH_COMPLETION := $(PREFIX)/share/bash-completion/completions/airprint
ZSH_COMPLETION := $(PREFIX)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)/_airprint
FISH_COMPLETION := $(PREFIX)/share/fish/vendor_completions.d/airprint.fish

# A user service: each user starts it on their own.
SERVICE := $(PREFIX)/lib/systemd/user/airprint-queue.service
# Menus of file managers: NAME=FOLDER/FILE below $(PREFIX)/share.
MENUS := thunar.desktop=Thunar/sendto/airprint.desktop dolphin.desktop=kio/servicemenus/airprint.desktop \
  nemo.nemo_action=nemo/actions/airprint.nemo_action pcmanfm.desktop=file-manager/actions/airprint.desktop
# Version 0.1.0 was an application there, and on some desktops the default one of PDFs: a double click printed them.
OLD_DESKTOP := $(PREFIX)/share/applications/airprint.desktop
METAINFO := $(PREFIX)/share/metainfo/io.github.airprint.airprint.metainfo.xml
DOCUMENTS ?= demo $(wildcard ../shared/corpus/good)
DOC := $(PREFIX)/share/doc/airprint

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: pkg-config testing build-tests late deps deps-build deps-demo deps-package deps-all build demo check test test-fast test-asan test-tsan fuzz model simulate-faults mutants bench compare install uninstall deb test-package test-suites format lint generate pictures clean

# Installs the missing packages of packaging/packages.txt, and lists them first; deps-all also LibreOffice and
# Chromium. A client from PyPI, and packages that would change the machine if installed, go into folders of the build.
PYTHON := .build/python
UNINSTALLED = packaging/packages.sh --unpack .build/unpacked unpacked && packaging/pyipp.sh $(PYTHON)
deps: ; @packaging/packages.sh build demo test && $(UNINSTALLED)
deps-build: ; @packaging/packages.sh build
deps-demo: ; @packaging/packages.sh build demo
deps-package: ; @packaging/packages.sh build package
deps-all: ; @packaging/packages.sh build demo test large && $(UNINSTALLED)

# SwiftPM uses these files to find the libraries' headers.
PKG_CONFIG_FILES := $(CURDIR)/.build/pkgconfig
export PKG_CONFIG_PATH := $(PKG_CONFIG_FILES)$(if $(PKG_CONFIG_PATH),:$(PKG_CONFIG_PATH))
pkg-config: ; @packaging/pkg-config.sh $(PKG_CONFIG_FILES)

# The release binary, including Swift's runtime. Poppler, cairo and similar libraries are opened when they are first
# needed, so commands that draw nothing start without them (docs/architecture.md, Surprises of the build).
# The binary does not contain the path of the build folder: C++ file names are relative to it, Swift's are only in
# stripped sections, Swift's modhash, a checksum that depends on it, is zeroed (if the section were removed, strip
# would drop RELRO), and there is no build ID.
# Swift exports every function of a static program: the loader and dladdr(3) would have to search 12,000 names instead
# of about 20 (Package.swift).
# Swift's merging of functions that differ in what they call is off: it takes the addresses of functions of late
# libraries, which the loader would look for at the start (Swift 6.2: pango_cairo_show_layout).
# Sources/CStart/conformances.c replaces functions of Swift's runtime, and ArgumentParser's
# ParsableCommand.includesAllUnrecognizedArgument.
LATE := .build/late
REPLACED := swift_conformsToProtocol swift_conformsToProtocolCommon swift_conformsToProtocolWithExecutionContext \
  $$s14ArgumentParser15ParsableCommandPAAE023includesAllUnrecognizedA0SbvgZ
LATE_LINK := $(patsubst %,-Xlinker '%',-L$(LATE) -z lazy --no-export-dynamic $(REPLACED:%=--wrap=%))
late:
	@mkdir -p $(LATE)
	@packaging/late-libraries.sh stubs $(LATE) > .build/late-libraries
build: deps-build pkg-config late
	COMPILER_PATH=$(CURDIR)/$(LATE) $(SWIFT) build -c release --static-swift-stdlib --product airprint $(LATE_LINK) \
	  -Xlinker --build-id=none -Xcxx -ffile-prefix-map=$(CURDIR)/= -Xswiftc -Xllvm -Xswiftc -swiftmergefunc-threshold=0 \
	  -Xcc "-DAIRPRINT_LATE_LIBRARIES=\"$$(xargs < .build/late-libraries)\""
	@cp .build/release/airprint $(AIRPRINT).new
	@strip --remove-section=.comment --remove-section=.note $(AIRPRINT).new
	@if objcopy --dump-section .swift_modhash=.build/modhash $(AIRPRINT).new 2> /dev/null; then \
	  tr '\001-\377' '\000' < .build/modhash > .build/modhash.zero; \
	  objcopy --update-section .swift_modhash=.build/modhash.zero $(AIRPRINT).new; fi
	@patchelf --remove-rpath $$(sed 's/.*=/--remove-needed /' .build/late-libraries) $(AIRPRINT).new
	@readelf --program-headers --wide $(AIRPRINT).new | grep -q GNU_RELRO || { echo "The linker made no RELRO."; exit 1; }
	@$(AIRPRINT).new --version > /dev/null
	@! LD_DEBUG=libs $(AIRPRINT).new --version 2>&1 | grep 'calling init.*lib\(cups\|gnutls\|cairo\)' \
	  || { echo "airprint --version loads libraries that it doesn't need."; exit 1; }
	@mv $(AIRPRINT).new $(AIRPRINT)
	@echo "Built $(AIRPRINT)."

demo: deps-demo build
	@demo/run.sh $(AIRPRINT)

# The checks for a contribution, and for CI: lint, build, test.
check: test

# Options to link and run tests with this Swift. Debian's has no lib_Testing_Foundation, of which the tests use
# nothing, so an empty one replaces it. Swift 6.2 can't limit the number of tests that run at once, so they run one by
# one.
TESTING := $(CURDIR)/.build/testing
SWIFT_RESOURCES = $(shell $(SWIFT)c -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
TEST_LINK = $(if $(wildcard $(SWIFT_RESOURCES)/linux/lib_Testing_Foundation.*),,-Xlinker -L$(TESTING))
WIDTH := --experimental-maximum-parallelization-width
TEST_WIDTH = $(if $(findstring $(WIDTH),$(shell $(SWIFT) test --help-hidden)),$(WIDTH) 12,--no-parallel)
testing: ; @rm -rf $(TESTING) && mkdir -p $(TESTING) && $(if $(TEST_LINK),ar cr $(TESTING)/lib_Testing_Foundation.a,:)
build-tests: pkg-config testing
	$(SWIFT) build --build-tests $(TEST_LINK)

# Failures are printed again at the end, because the output has thousands of lines.
test: deps lint build-tests late
	@SWIFT=$(SWIFT) Tools/link-debug.sh $(LATE) $(LATE_LINK) $(if $(TEST_LINK),|| echo "The tests run as SwiftPM linked the program: longer.")
	@{ $(SWIFT) test --skip-build --disable-xctest $(TEST_LINK) $(TEST_WIDTH); \
	  echo $$? > .build/test.status; } 2>&1 | tee .build/test.log; \
	grep -A 12 'recorded an issue' .build/test.log | grep -vE '[◇✔] ' ; exit $$(cat .build/test.status)

# The tests that need neither a daemon nor the built program: values, parsers, state machines. For the minutes between
# two edits.
DAEMON_SUITES := HostileLinkTests|SlowAnswersTests|LadderTests|ConnectionTests|ServedTests|BrowseTests|HostLookupTests|DaemonTests|DiscoverTests|DiscoveryFailureTests|UnicastTests|LinkBrowsingTests
test-fast: build-tests
	$(SWIFT) test --skip-build --disable-xctest $(TEST_LINK) $(TEST_WIDTH) --skip '^(EndToEnd|GeneratedFiles|TestSupport)Tests|$(DAEMON_SUITES)'

# The suite under AddressSanitizer or ThreadSanitizer, each in its own build; limited to SUITES. The reports of all
# processes are collected, because the tests expect some of them, such as workers, to die. Leaks are not detected,
# because a command's memory is freed when it ends. Tests that don't work with a sanitizer's runtime are left out:
# sandboxes and limits of workers, another clock, a hundred processes at once; and systemd's services, which don't get
# the options below.
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

# Every course of a job with up to FAULTS faults, on printers by the book (Tests/ModelTests): half an hour for 3.
FAULTS ?= 3
model: build-tests
	AIRPRINT_MODEL=$(FAULTS) $(SWIFT) test --skip-build --disable-xctest $(TEST_LINK) --filter '^ModelTests'

# Courses at random with up to twelve faults, each by its own seed (Tests/ModelTests); a violation has the line that
# runs it again.
SEEDS ?= 100000
simulate-faults: build-tests
	AIRPRINT_SEEDS=$(SEEDS) $(SWIFT) test --skip-build --disable-xctest $(TEST_LINK) --filter '^ModelTests.*many faults'

# Faults that are planted in a copy of the sources (Tools/mutants/faults.toml), and which tests find them: half an hour.
# Limited to those whose names have the words FAULT.
# With RANDOM=200, also of that many small mutations at random of the modules that compute.
MUTANTS := .build/mutants
mutants:
	@Tools/mutants/mutants.py plant $(MUTANTS) $(if $(RANDOM),--random $(RANDOM))
	@$(MAKE) --no-print-directory -C $(MUTANTS) build-tests
	@Tools/mutants/mutants.py run $(MUTANTS) $(if $(FAULT),--only '$(FAULT)')

# libFuzzer on the parsers of untrusted input (Tests/FuzzTargets), FUZZ_TIME seconds each; limited to FUZZ_TARGETS.
# Inputs that break one are written to .build/fuzz/crashes; add them to the corpus.
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

# Pages that airprint draws differently from pdftoppm, mutool and gs, if these are installed, at a screen's and a
# printer's resolution; and pages that differ between a display list and direct drawing.
compare: build
	@Tools/compare/compare.py --airprint $(AIRPRINT) --dpi 100 --dpi 600 $(DOCUMENTS); others=$$?; \
	  Tools/compare/compare.py --airprint $(AIRPRINT) --dpi 100 --dpi 600 --direct $(DOCUMENTS) && exit $$others

bench: deps build
	@bench/run.sh $(AIRPRINT)

# Root installs what was built, without Swift.
$(AIRPRINT):
	@$(MAKE) build

install: $(AIRPRINT)
	install -D -m 755 $(AIRPRINT) $(DESTDIR)$(PREFIX)/bin/airprint
	for page in man/*.[157]; do install -D -m 644 $$page \
	  $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/} || exit 1; done
	sed 's|/usr/local/bin|$(PREFIX)/bin|' systemd/airprint-queue.service | \
	  install -D -m 644 /dev/stdin $(DESTDIR)$(SERVICE)
	for script in bash=$(BASH_COMPLETION) zsh=$(ZSH_COMPLETION) fish=$(FISH_COMPLETION); do \
	  $(AIRPRINT) completion $${script%%=*} | install -D -m 644 /dev/stdin $(DESTDIR)$${script#*=} || exit 1; done
	for menu in $(MENUS); do sed "s|@types@|$$(tr '\n' ';' < packaging/menus/types)|" packaging/menus/$${menu%%=*} | \
	  install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/$${menu#*=} || exit 1; done
	rm -f $(DESTDIR)$(OLD_DESKTOP)
	install -D -m 644 packaging/airprint.metainfo.xml $(DESTDIR)$(METAINFO)
	install -D -m 644 -t $(DESTDIR)$(DOC) README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE
	for file in docs/*.* docs/pictures/* docs/receipt/*.png bench/RESULTS.md; do \
	  install -D -m 644 $$file $(DESTDIR)$(DOC)/$$file || exit 1; done
	rm $(DESTDIR)$(DOC)/docs/*.sh
	install -D -m 644 -t $(DESTDIR)$(DOC)/examples packaging/config.toml examples/*.* \
	  docs/receipt/till.receipt docs/receipt/bean.png
	chmod 755 $(DESTDIR)$(DOC)/examples/receipt.py $(DESTDIR)$(DOC)/examples/receipt.sh
	install -D -t $(DESTDIR)$(DOC)/examples/systemd systemd/examples/*
	sed -i 's|/usr/local/|$(PREFIX)/|' $(DESTDIR)$(DOC)/examples/systemd/*
	chmod 644 $(DESTDIR)$(DOC)/examples/systemd/*.*
	install -D -m 644 -t $(DESTDIR)$(DOC)/examples/converters Sources/AirprintContext/Settings/converters/*.toml

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/airprint $(DESTDIR)$(SERVICE) \
	  $(DESTDIR)$(PREFIX)/share/man/man1/airprint.1 \
	  $(DESTDIR)$(PREFIX)/share/man/man1/airprint-*.1 \
	  $(DESTDIR)$(PREFIX)/share/man/man5/airprint-*.5 $(DESTDIR)$(PREFIX)/share/man/man7/airprint-*.7 \
	  $(DESTDIR)$(BASH_COMPLETION) $(DESTDIR)$(ZSH_COMPLETION) $(DESTDIR)$(FISH_COMPLETION) \
	  $(foreach menu,$(MENUS),$(DESTDIR)$(PREFIX)/share/$(lastword $(subst =, ,$(menu)))) \
	  $(DESTDIR)$(OLD_DESKTOP) $(DESTDIR)$(METAINFO)
	rm -rf $(DESTDIR)$(DOC)

# The Debian package, in .build.
deb: deps-package build
	@rm -rf .build/deb .build/airprint_*.deb
	@umask 022; $(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=.build/deb > /dev/null
	@packaging/deb.sh $(AIRPRINT) .build/release/airprint .build/deb .build
	@lintian --fail-on error .build/airprint_*.deb

# Tests the package in a new Debian made by debootstrap: installs it, prints, and removes it. SUITE=trixie also builds
# it there.
OWN_SUITE := $(shell . /etc/os-release && echo $${VERSION_CODENAME:-sid})
SUITE ?= $(OWN_SUITE)
test-package: package-of-$(if $(filter $(OWN_SUITE),$(SUITE)),here,$(SUITE))
	@$(SUDO) packaging/test.sh $(SUITE) .build/packages/$(SUITE)/airprint_*.deb
package-of-here: deb
	@mkdir -p .build/packages/$(SUITE) && cp .build/airprint_*.deb .build/packages/$(SUITE)
package-of-%:
	@mkdir -p .build/packages/$*
	@$(SUDO) env PATH="$(PATH)" Tools/suites/run.sh --out '.build/airprint_*.deb=.build/packages/$*' $* 'make deb'

# Tests everything in bare systems of other suites: the demo, the tests, the package.
OTHER_SUITES ?= trixie sid
test-suites:
	@for suite in $(OTHER_SUITES); do echo "Debian $$suite:" && \
	  $(SUDO) env PATH="$(PATH)" Tools/suites/run.sh $$suite 'make demo && make test' && \
	  $(MAKE) --no-print-directory test-package SUITE=$$suite || exit 1; done

format:
	$(SWIFT) format format --in-place --recursive Package.swift Sources Tests Tools

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Tools
	@Tools/mutants/mutants.py check

# Generates manual pages from the commands themselves.
generate:
	$(SWIFT) run --quiet GenerateDocs .

# Draws the pictures of the README and docs/ with airprint itself.
pictures: deps build
	@docs/pictures.sh $(AIRPRINT)

clean:
	rm -rf .build

# make run        install missing packages, build, open the browser on the demo
# make test       install what the tests need, too: lint, build, run all tests; ONCE=1 builds faster from nothing
# make terminals  run the release binary in real terminals and compare its pixels: in all six, or in some with
#                 TERMINALS="xterm mlterm"; ALCEDO=.build/debug/alcedo tests another binary, without a build
# make tsan       run the tests of retrying, pipeline, downloader and prefetcher under the thread sanitizer
# make asan       run the tests of decoders and lists under the address sanitizer
# make build      build the release binary at .build/release/alcedo
# make cluster-test  test the program for Apache Spark and the recipes of docs/cluster.md; URLS=2000 for short lists,
#                 ALCEDO=FILE tests another binary, without a build
# make fuzz       fuzz the parsers of foreign bytes with libFuzzer, SECONDS=600 for each; 0 only builds
# make bench      measure beside other programs, which it installs, and write Benchmarks/RESULTS.md
# make gallery    build the example, which is a separate package
# make install    install the binary, pictures, manual page, completions, desktop entry and licence under PREFIX
#                 (/usr/local)
# make deb        build a Debian package of the release binary in .build; packaging/check-deb tests it
# make tarball    build a .tar.xz of the release binary with its libraries in .build
# make tarball-test  build it, and run it in a root folder that has nothing but the C library; as root
# make release VERSION=0.2.0
#                 check version, changelog and API list, commit, tag, build both packages; DRY=1 only checks
# make docs       build the site of docs/ and of the libraries' DocC pages in .build/docs, and check its links and pictures
# make deps       install the Debian packages that building needs; the targets above call it and name what they install
# make format     put the sources into the project's style
# make clean      remove build products

PREFIX ?= /usr/local
SWIFT  ?= swift
SUDO   := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# Static Swift runtime, no search path beside the binary, no exported symbols, accessors for generic types: all of them
# make the start faster. docs/decisions/0010-release-build-flags.md has the figures.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
    -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors

# Build dependencies by pkg-config name, and programs that the tests run: NAME=PACKAGE.
LIBRARIES := ncursesw=libncursesw5-dev libsixel=libsixel-dev vips=libvips-dev libjpeg=libjpeg62-turbo-dev \
    libdeflate=libdeflate-dev libwebp=libwebp-dev nettle=nettle-dev libpcre2-8=libpcre2-dev sqlite3=libsqlite3-dev zlib=zlib1g-dev libseccomp=libseccomp-dev \
    libavif=libavif-dev libjxl=libjxl-dev libavformat=libavformat-dev libswscale=libswscale-dev \
    libarchive=libarchive-dev libcurl=libcurl4-openssl-dev libbrotlidec=libbrotli-dev libzstd=libzstd-dev
# Programs that the benchmarks compare with, and packages without a program: a library and photos.
PEERS     := chafa=chafa timg=timg img2sixel=libsixel-bin wget2=wget2 curl=curl aria2c=aria2 openssl=openssl \
    djpeg=libjpeg-turbo-progs dwebp=webp /usr/sbin/nginx=nginx
MATERIAL  := libspng0 mate-backgrounds gnome-backgrounds lomiri-wallpapers-16.04
PROGRAMS  := Xvfb=xvfb xterm=xterm mlterm=mlterm xdotool=xdotool import=imagemagick tmux=tmux fc-list=fontconfig \
             zsh=zsh fish=fish mandoc=mandoc /usr/sbin/squid=squid /usr/sbin/nginx=nginx strace=strace openssl=openssl \
             curl=curl dcraw_emu=libraw-bin /usr/bin/node=nodejs

.PHONY: run test terminals tsan asan cluster-test fuzz bench gallery build lint format install deb tarball release clean \
    tarball-test docs deps test-deps terminal-deps cluster-deps bench-deps deb-deps tarball-deps docs-deps

run: build
	.build/release/alcedo demo

# `alcedo --version` prints the commit, with a + where files differ from it. It is linked in as an object of its own:
# a new commit compiles nothing again. Without the object, as in `swift build`, the version is printed without a commit.
COMMIT := $(if $(wildcard .git),$(shell git describe --always --exclude '*' --abbrev=7 --dirty=+ 2>/dev/null))
COMMIT_OBJECT := $(COMMIT:%=$(CURDIR)/.build/commit-%.o)

build: deps $(COMMIT_OBJECT)
	$(SWIFT) build $(RELEASE) $(addprefix -Xlinker ,$(COMMIT_OBJECT)) --product alcedo

$(COMMIT_OBJECT):
	@mkdir -p .build && rm -f .build/commit-*.o
	@echo 'const char alcedo_commit[] = "$(COMMIT)";' | clang -x c -c - -o $@

# These run one at a time: they start programs, drive terminals, send signals to the test process, change its umask,
# depend on how soon a task runs, or on the messages of libvips, which all threads share. Two processes have half of them
# each. Of all others as many run as there are processors; without that limit all would start at once, and the timeouts of
# real connections would pass before their tests had the processor.
COMMANDS := CommandTests\.
HELP     := CommandTests\.(HelpTests|CompletionTests)/
SCREENS  := $(HELP)|ScreenTests\.|TerminalTests\.|DiskStorageTests/|OutageTests/|SandboxedDecoderTests/|ProgressThrottleTests/|$\
    ProgressiveLoadTests/|SignalWatchTests/|VideoFrameImageDataProviderTests/|NetlinkMonitorTests/|RetryJobStressTests/

# For a build from nothing that nobody changes afterwards: each module is compiled at once, without debug information. It
# takes two thirds of the processor time, but any change compiles its whole module.
ONCE_FLAGS := $(addprefix -Xswiftc ,-gnone -wmo -num-threads 2 -no-emit-module-separately-wmo)

# `swift test` locks the build folder, so the second process is the test program itself.
test: deps test-deps lint
	$(SWIFT) build --build-tests $(if $(ONCE),$(ONCE_FLAGS))
	@failed=; export SWIFT_BACKTRACE=enable=no; set -x; \
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$(nproc) \
	    $(SWIFT) test --skip-build --skip '$(COMMANDS)|$(SCREENS)' || failed=1; \
	.build/debug/alcedoPackageTests.xctest --testing-library swift-testing --no-parallel --filter '$(SCREENS)' & \
	$(SWIFT) test --skip-build --no-parallel --filter '$(COMMANDS)' --skip '$(HELP)' || failed=1; \
	wait $$! || failed=1; \
	[ -z "$$failed" ]

TERMINALS ?= xterm xterm-large mlterm kitty konsole foot

terminals: $(if $(ALCEDO),,build) terminal-deps
	ALCEDO="$(or $(ALCEDO),.build/release/alcedo)" Tests/TerminalMatrix/run --terminals "$(TERMINALS)"

TSAN_SUITES := RetryingTests|RetryingCombineTests|ExponentialBackOffTests|ImagePipeline|RequestCoalescer|LoadRequest|ImagePrefetcher|PrefetchPlan|Admission|ImageDownloader|Libcurl|Digest|GroupCommit|ConnectionTests|HTTP2Tests

# The sanitizer ends the run at its first report.
tsan: deps test-deps
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/tsan
	TSAN_OPTIONS="suppressions=$(CURDIR)/.ci/tsan.suppressions halt_on_error=1" SWIFT_BACKTRACE=enable=no \
	    $(SWIFT) test --skip-build --no-parallel --sanitize=thread --scratch-path .build/tsan --filter '$(TSAN_SUITES)'

ASAN_SUITES := (ImageCodecs|Sandbox|DiskCache|ImageLoading)Tests\.(.*Decod|.*Format|.*Codec|.*PNG|.*GIF|.*WebP|.*JPEG|.*Exif|.*Frames|.*Damage|.*Color|Animation)|ListsTests

# Decoders run in the test's own process, where the sanitizer sees them; helpers are left out: it needs more address space
# than they have.
asan: deps test-deps
	$(SWIFT) build --build-tests --sanitize=address --scratch-path .build/asan
	ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no \
	    $(SWIFT) test --skip-build --no-parallel --sanitize=address --scratch-path .build/asan --filter '$(ASAN_SUITES)' \
	    --skip 'Sandbox|HostileDecoder'

CLUSTER_VENV   := .build/cluster-venv
CLUSTER_PYTHON := $(CLUSTER_VENV)/bin/python

cluster-test: $(if $(ALCEDO),,build) cluster-deps
	ALCEDO="$(or $(ALCEDO),.build/release/alcedo)" $(if $(URLS),URLS=$(URLS)) $(CLUSTER_PYTHON) Tests/Cluster/run

SECONDS ?= 600

fuzz: deps
	Tests/Fuzzing/run $(SECONDS)

bench: build bench-deps
	$(SWIFT) build $(RELEASE) --product Benchmarks
	$(SWIFT) build $(RELEASE) --product PrefetchLimit
	./Benchmarks/write-results

gallery: deps
	$(SWIFT) build --package-path Examples/Gallery --scratch-path .build/gallery

# swift format opens all its files at once, and a login shell may open 1024.
each_source := find Package.swift Sources Tests assets Benchmarks Examples -name '*.swift' -not -path '*/.*' -print0 | \
    xargs -0 -n 200

lint:
	$(each_source) $(SWIFT) format lint --strict --parallel

format:
	$(each_source) $(SWIFT) format --in-place --parallel

# Paths of completions under PREFIX/share.
BASH_COMPLETIONS := bash-completion/completions/alcedo
ZSH_COMPLETIONS  := zsh/site-functions/_alcedo
FISH_COMPLETIONS := fish/vendor_completions.d/alcedo.fish

# The program to install, which `ALCEDO=FILE make install` does not build. Its symbols stay in .build/alcedo.debug: gdb
# finds them beside the program or by `symbol-file`.
BINARY := $(or $(ALCEDO),.build/release/alcedo)

install: $(if $(ALCEDO),,build)
	objcopy --only-keep-debug $(BINARY) .build/alcedo.debug
	install -d $(DESTDIR)$(PREFIX)/bin
	objcopy --strip-all --add-gnu-debuglink=.build/alcedo.debug $(BINARY) $(DESTDIR)$(PREFIX)/bin/alcedo
	install -d $(DESTDIR)$(PREFIX)/share/alcedo/pictures
	install -m644 assets/pictures/* $(DESTDIR)$(PREFIX)/share/alcedo/pictures/
	install -Dm644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/alcedo/LICENSE
	install -Dm644 packaging/alcedo.desktop $(DESTDIR)$(PREFIX)/share/applications/alcedo.desktop
	$(call install_printed,ALCEDO=$(BINARY) packaging/make-manual,man/man1/alcedo.1)
	$(call install_printed,$(BINARY) --generate-completion-script bash,$(BASH_COMPLETIONS))
	$(call install_printed,$(BINARY) --generate-completion-script zsh,$(ZSH_COMPLETIONS))
	$(call install_printed,$(BINARY) --generate-completion-script fish,$(FISH_COMPLETIONS))

# What a command prints, as a file under share.
install_printed = $(1) > .build/printed && \
    install -Dm644 .build/printed $(DESTDIR)$(PREFIX)/share/$(2)

deb: $(if $(ALCEDO),,build) deb-deps
	ALCEDO=$(BINARY) packaging/make-deb

tarball: $(if $(ALCEDO),,build) tarball-deps
	ALCEDO=$(BINARY) packaging/make-tarball

release: $(if $(DRY),,deps deb-deps tarball-deps)
	VERSION=$(VERSION) DRY=$(DRY) packaging/make-release

# Pages of the site, in the places that they have here. `make docs BASE=/alcedo` is for a server that has it below /alcedo.
PAGES     := README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs cluster Sources/README.md \
    Examples/Gallery/README.md Examples/Migration/README.md Benchmarks/RESULTS.md assets/README.md assets/screenshot.png assets/film.gif
DOCS_VENV := .build/docs-venv

# mkdocs checks links between pages, DocC those of its own, alcedo the pictures.
docs: deps docs-deps
	$(SWIFT) build --product alcedo
	for target in KingfisherCompatibility RetryingCombine ExponentialBackOff; do $(SWIFT) build --target $$target || exit; done
	rm -rf .build/docs-pages && mkdir -p .build/docs-pages
	cp -R --parents $(PAGES) .build/docs-pages
	docs/site/make-reference "$$($(SWIFT) build --show-bin-path)" .build/docs-pages/reference $(BASE)/reference
	NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/mkdocs build --config-file docs/site/mkdocs.yml
	grep -rlZ '<img' --include='*.html' --exclude-dir=reference .build/docs \
	    | xargs -0 .build/debug/alcedo check --no-config --no-resume --quiet
	@echo 'The site is in .build/docs: python3 -m http.server -d .build/docs'

clean:
	$(SWIFT) package clean

deps:
	@missing=; $(call add_missing_programs,pkg-config=pkg-config python3=python3); \
	for pair in $(LIBRARIES); do \
	    pkg-config --exists "$${pair%%=*}" 2>/dev/null || missing="$$missing $$pair"; \
	done; \
	$(call install_missing,Building)

test-deps:
	@missing=; $(call add_missing_programs,$(PROGRAMS)); \
	fc-list 2>/dev/null | grep -q DejaVuSansMono || missing="$$missing fonts-dejavu-core"; \
	[ -e /usr/share/terminfo/a/aaa ] || missing="$$missing ncurses-term"; \
	$(call install_missing,Testing)

# Programs that each terminal needs.
NEEDS_xterm       := xterm=xterm
NEEDS_xterm-large := xterm=xterm
NEEDS_mlterm      := mlterm=mlterm
NEEDS_kitty       := kitty=kitty
NEEDS_konsole     := konsole=konsole dbus-run-session=dbus
NEEDS_foot        := foot=foot sway=sway grim=grim

terminal-deps:
	@missing=; \
	$(call add_missing_programs,\
	    Xvfb=xvfb xdotool=xdotool fc-list=fontconfig $(foreach terminal,$(TERMINALS),$(NEEDS_$(terminal)))); \
	fc-list 2>/dev/null | grep -q DejaVuSansMono || missing="$$missing fonts-dejavu-core"; \
	/usr/bin/python3 -c 'import numpy, PIL' 2>/dev/null || missing="$$missing python3-numpy python3-pil"; \
	case " $(TERMINALS) " in *" kitty "*) \
	    dpkg-query -W libgl1-mesa-dri >/dev/null 2>&1 || missing="$$missing libgl1-mesa-dri" ;; \
	esac; \
	$(call install_missing,Testing in terminals)

cluster-deps:
	@missing=; \
	$(call add_missing_programs,\
	    java=openjdk-17-jre-headless parallel=parallel /usr/sbin/squid=squid python3=python3); \
	python3 -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv"; \
	$(call install_missing,Testing on clusters)
	@[ -x $(CLUSTER_PYTHON) ] || python3 -m venv $(CLUSTER_VENV)
	@$(CLUSTER_PYTHON) -c 'import pyspark, pyarrow, ray, distributed, webdataset' 2>/dev/null || { \
	    echo "Testing on clusters needs these Python packages, which pip installs into $(CLUSTER_VENV) now:"; \
	    sed 's/#.*//; /^$$/d; s/^/  /' cluster/requirements.txt Tests/Cluster/requirements.txt; \
	    $(CLUSTER_PYTHON) -m pip install -q -r cluster/requirements.txt -r Tests/Cluster/requirements.txt; \
	}

bench-deps:
	@missing="$$(dpkg-query -W -f '' $(MATERIAL) 2>/dev/null || echo $(MATERIAL))"; \
	$(call add_missing_programs,$(PEERS)); \
	$(call install_missing,Benchmarking)

deb-deps:
	@missing=; $(call add_missing_programs,dpkg-shlibdeps=dpkg-dev python3=python3); \
	$(call install_missing,Packaging)

tarball-test: tarball
	packaging/check-tarball .build/alcedo-*.tar.xz

tarball-deps:
	@missing=; $(call add_missing_programs,patchelf=patchelf xz=xz-utils python3=python3 busybox=busybox-static); \
	dpkg-query -W libraw-dev >/dev/null 2>&1 || missing="$$missing libraw-dev"; \
	$(call install_missing,Packaging)

docs-deps:
	@python3 -c 'import ensurepip' 2>/dev/null || { missing=python3-venv; $(call install_missing,The site); }
	@cmp -s docs/site/requirements.txt $(DOCS_VENV)/requirements.txt || { \
	    echo "The site needs these Python packages, which pip installs into $(DOCS_VENV) now:"; \
	    sed '/^#/d; s/^/  /' docs/site/requirements.txt; \
	    python3 -m venv $(DOCS_VENV) && $(DOCS_VENV)/bin/python -m pip install -q -r docs/site/requirements.txt \
	        && cp docs/site/requirements.txt $(DOCS_VENV)/; \
	}

# Adds to `missing` what of the pairs PROGRAM=PACKAGE is missing.
add_missing_programs = \
    for pair in $(1); do command -v "$${pair%%=*}" >/dev/null || missing="$$missing $$pair"; done

# Lists the missing packages, each with what of it is needed, and installs them.
define install_missing
if [ -n "$$missing" ]; then \
    echo "$(1) needs these Debian packages, which $(strip $(SUDO) apt-get) installs now:"; \
    for pair in $$missing; do echo "  $${pair##*=} ($${pair%%=*})"; done; \
    $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $$(printf '%s\n' $$missing | sed 's/.*=//'); \
fi
endef

# make run        install missing packages, build, open the browser on the demo
# make test       install what the tests need, too: lint, build, run all tests
# make terminals  run the release binary in real terminals and compare its pixels: in all six, or in some with
#                 TERMINALS="xterm mlterm"; ALCEDO=.build/debug/alcedo tests another binary, without a build
# make tsan       run the tests of retrying, pipeline, downloader and prefetcher under the thread sanitizer
# make build      build the release binary at .build/release/alcedo
# make bench      measure beside other programs, which it installs, and write Benchmarks/RESULTS.md
# make gallery    build the example, which is a separate package
# make install    install the binary, pictures, manual page, completions and licence under PREFIX (/usr/local)
# make format     put the sources into the project's style
# make clean      remove build products

PREFIX ?= /usr/local
SWIFT  ?= swift
APT    := $(shell [ "$$(id -u)" = 0 ] || echo sudo) apt-get

# Static Swift runtime, no search path beside the binary, no exported symbols, accessors for generic types: all of them
# make the start faster. docs/decisions/0010-release-build-flags.md has the figures.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
    -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors

# Build dependencies by pkg-config name, and programs that the tests run: NAME=PACKAGE.
LIBRARIES := ncursesw=libncursesw5-dev libsixel=libsixel-dev vips=libvips-dev libjpeg=libjpeg62-turbo-dev \
    libdeflate=libdeflate-dev libwebp=libwebp-dev sqlite3=libsqlite3-dev zlib=zlib1g-dev
# Programs that the benchmarks compare with, and packages without a program: a library and photos.
PEERS     := chafa=chafa timg=timg img2sixel=libsixel-bin wget2=wget2 curl=curl aria2c=aria2 openssl=openssl \
    djpeg=libjpeg-turbo-progs dwebp=webp /usr/sbin/nginx=nginx
MATERIAL  := libspng0 mate-backgrounds gnome-backgrounds lomiri-wallpapers-16.04
PROGRAMS  := Xvfb=xvfb xterm=xterm mlterm=mlterm xdotool=xdotool import=imagemagick tmux=tmux fc-list=fontconfig \
             zsh=zsh fish=fish mandoc=mandoc /usr/sbin/squid=squid /usr/sbin/nginx=nginx strace=strace

.PHONY: run test terminals terminal-programs tsan bench gallery build lint format install clean libraries programs

run: build
	.build/release/alcedo demo

build: libraries
	$(SWIFT) build $(RELEASE) --product alcedo

# One test at a time: many run the built program or real sockets, and would exceed their time limits on a busy machine.
test: libraries programs lint
	$(SWIFT) build --build-tests
	SWIFT_BACKTRACE=enable=no $(SWIFT) test --skip-build --no-parallel

TERMINALS ?= xterm xterm-large mlterm kitty konsole foot

terminals: $(if $(ALCEDO),,build) terminal-programs
	ALCEDO="$(or $(ALCEDO),.build/release/alcedo)" Tests/TerminalMatrix/run --terminals "$(TERMINALS)"

TSAN_SUITES := RetryingTests|ImagePipeline|JoinedWork|JoinState|LoadRequest|ImagePrefetcher|PrefetchPlan|Admission|ImageDownloader|Exchange|FolderThreads|FolderProbe|GroupCommit|ConnectionTests|HTTP2Tests

# The sanitizer stops the run at its first report.
tsan: libraries programs
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/tsan
	TSAN_OPTIONS="suppressions=$(CURDIR)/.ci/tsan.suppressions halt_on_error=1" SWIFT_BACKTRACE=enable=no \
	    $(SWIFT) test --skip-build --no-parallel --sanitize=thread --scratch-path .build/tsan --filter '$(TSAN_SUITES)'

bench: build
	@missing="$$(dpkg-query -W -f '' $(MATERIAL) 2>/dev/null || echo $(MATERIAL))"; \
	for pair in $(PEERS); do \
	    command -v "$${pair%%=*}" >/dev/null || missing="$$missing $${pair##*=}"; \
	done; \
	$(call install_missing)
	$(SWIFT) build $(RELEASE) --product Benchmarks
	./Benchmarks/write-results

gallery: libraries
	$(SWIFT) build --package-path Examples/Gallery --scratch-path .build/gallery

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests assets Benchmarks Examples

format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests assets Benchmarks Examples

# Paths of completions under PREFIX/share.
BASH_COMPLETIONS := bash-completion/completions/alcedo
ZSH_COMPLETIONS  := zsh/site-functions/_alcedo
FISH_COMPLETIONS := fish/vendor_completions.d/alcedo.fish

# The symbols stay in .build/alcedo.debug; in gdb, load them by `symbol-file`.
install: build
	objcopy --only-keep-debug .build/release/alcedo .build/alcedo.debug
	install -d $(DESTDIR)$(PREFIX)/bin
	objcopy --strip-all --add-gnu-debuglink=.build/alcedo.debug .build/release/alcedo $(DESTDIR)$(PREFIX)/bin/alcedo
	install -d $(DESTDIR)$(PREFIX)/share/alcedo/pictures
	install -m644 assets/pictures/* $(DESTDIR)$(PREFIX)/share/alcedo/pictures/
	install -Dm644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/alcedo/LICENSE
	$(call install_printed,manual,man/man1/alcedo.1)
	$(call install_printed,--generate-completion-script bash,$(BASH_COMPLETIONS))
	$(call install_printed,--generate-completion-script zsh,$(ZSH_COMPLETIONS))
	$(call install_printed,--generate-completion-script fish,$(FISH_COMPLETIONS))

# Installs the output of the program as a file under share.
install_printed = .build/release/alcedo $(1) > .build/printed && \
    install -Dm644 .build/printed $(DESTDIR)$(PREFIX)/share/$(2)

clean:
	$(SWIFT) package clean

libraries:
	@missing=; command -v pkg-config >/dev/null || missing=pkg-config; \
	for pair in $(LIBRARIES); do \
	    pkg-config --exists "$${pair%%=*}" 2>/dev/null || missing="$$missing $${pair##*=}"; \
	done; \
	$(call install_missing)

programs:
	@missing=; \
	for pair in $(PROGRAMS); do \
	    command -v "$${pair%%=*}" >/dev/null || missing="$$missing $${pair##*=}"; \
	done; \
	fc-list 2>/dev/null | grep -q DejaVuSansMono || missing="$$missing fonts-dejavu-core"; \
	[ -e /usr/share/terminfo/a/aaa ] || missing="$$missing ncurses-term"; \
	$(call install_missing)

# Programs that each terminal needs.
NEEDS_xterm       := xterm=xterm
NEEDS_xterm-large := xterm=xterm
NEEDS_mlterm      := mlterm=mlterm
NEEDS_kitty       := kitty=kitty
NEEDS_konsole     := konsole=konsole dbus-run-session=dbus
NEEDS_foot        := foot=foot sway=sway grim=grim

terminal-programs:
	@missing=; \
	for pair in Xvfb=xvfb xdotool=xdotool fc-list=fontconfig $(foreach terminal,$(TERMINALS),$(NEEDS_$(terminal))); do \
	    command -v "$${pair%%=*}" >/dev/null || missing="$$missing $${pair##*=}"; \
	done; \
	fc-list 2>/dev/null | grep -q DejaVuSansMono || missing="$$missing fonts-dejavu-core"; \
	/usr/bin/python3 -c 'import numpy, PIL' 2>/dev/null || missing="$$missing python3-numpy python3-pil"; \
	case " $(TERMINALS) " in *" kitty "*) \
	    dpkg-query -W libgl1-mesa-dri >/dev/null 2>&1 || missing="$$missing libgl1-mesa-dri" ;; \
	esac; \
	$(call install_missing)

# Installs missing packages by apt and prints their names.
define install_missing
if [ -n "$$missing" ]; then \
    echo "Installing:$$missing"; \
    $(APT) update -qq && DEBIAN_FRONTEND=noninteractive $(APT) install -y -qq --no-install-recommends $$missing; \
fi
endef

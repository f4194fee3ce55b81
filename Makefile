# make run      install what is missing, build, open the browser on the demo
# make test     the same, plus what the tests need: lint, build, all tests
# make terminals  the release binary in real terminals, its pixels compared with what they should be: in all six, or in
#                 some, TERMINALS="xterm mlterm"; another binary, which is not built: ALCEDO=.build/debug/alcedo
# make tsan     the tests of retrying, pipeline, downloader and prefetcher under the thread sanitizer
# make build    the release binary at .build/release/alcedo
# make bench    release figures beside the peers', which it installs; written to Benchmarks/RESULTS.md
# make gallery  the example, as the package of its own that it is
# make install  the binary, its pictures, manual page, completions and licence under PREFIX (/usr/local)
# make format   rewrite the sources in the project's style
# make clean    remove what was built

PREFIX ?= /usr/local
SWIFT  ?= swift
APT    := $(shell [ "$$(id -u)" = 0 ] || echo sudo) apt-get

# Swift's runtime within, and no libraries looked for beside the binary. Generic types are asked for by their accessors:
# by their names, the first use of each passes over all conformances there are, which took a fifth of the start.
# Nobody links with the program: 44,000 names that it would offer cost a twelfth of the start of `alcedo --version`.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
    -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors

# What building needs, by pkg-config name, and what the tests run, by program name: NAME=PACKAGE.
LIBRARIES := ncursesw=libncursesw5-dev libsixel=libsixel-dev vips=libvips-dev libjpeg=libjpeg62-turbo-dev \
    libdeflate=libdeflate-dev libwebp=libwebp-dev sqlite3=libsqlite3-dev zlib=zlib1g-dev
# What the benchmarks compare with, by program name, and what of it is no program: a library, and the photos.
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

# These run one at a time: they start programs, drive terminals, send signals to the test process, change its umask, or
# depend on how soon a task runs. Of all others as many run as there are processors; without that limit all would start
# at once, and the timeouts of real connections would pass before their tests had the processor.
ONE_AT_A_TIME := CommandTests\.|ScreenTests\.|TerminalTests\.|DiskStorageTests/|OutageTests/|ProgramOutputTests/|$\
    ProgressThrottleTests/|ProgressiveLoadTests/|SignalWatchTests/|VideoFrameImageDataProviderTests/|NetlinkMonitorTests/|$\
    RetryJobStressTests/

test: libraries programs lint
	$(SWIFT) build --build-tests
	@failed=; export SWIFT_BACKTRACE=enable=no; set -x; \
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$(nproc) $(SWIFT) test --skip-build --skip '$(ONE_AT_A_TIME)' || failed=1; \
	$(SWIFT) test --skip-build --no-parallel --filter '$(ONE_AT_A_TIME)' || failed=1; \
	[ -z "$$failed" ]

TERMINALS ?= xterm xterm-large mlterm kitty konsole foot

terminals: $(if $(ALCEDO),,build) terminal-programs
	ALCEDO="$(or $(ALCEDO),.build/release/alcedo)" Tests/TerminalMatrix/run --terminals "$(TERMINALS)"

TSAN_SUITES := RetryingTests|ImagePipeline|JoinedWork|JoinState|LoadRequest|ImagePrefetcher|PrefetchPlan|Admission|ImageDownloader|Exchange|FolderThreads|FolderProbe|GroupCommit|ConnectionTests|HTTP2Tests

# The sanitizer ends the run at its first report.
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

# Where shells look for completions, under PREFIX/share.
BASH_COMPLETIONS := bash-completion/completions/alcedo
ZSH_COMPLETIONS  := zsh/site-functions/_alcedo
FISH_COMPLETIONS := fish/vendor_completions.d/alcedo.fish

# The symbols stay in .build/alcedo.debug: gdb finds them beside the program or by `symbol-file`.
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

# What the program prints, as a file under share.
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

# What each terminal needs, by program name.
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

# Asks apt only for what is missing, and says so.
define install_missing
if [ -n "$$missing" ]; then \
    echo "Installing:$$missing"; \
    $(APT) update -qq && DEBIAN_FRONTEND=noninteractive $(APT) install -y -qq --no-install-recommends $$missing; \
fi
endef

# Every target is one or two commands that also work by hand. `make` alone lists the targets.

GO ?= go
CGO_ENABLED ?= 0
FUZZTIME ?= 10s
RUN ?=
MUTANTS ?= 1000000
SEED ?= 1
PAIRS ?= 40
PREFIX ?= /usr/local
DESTDIR ?=
BIN ?= bin
SHARE = $(DESTDIR)$(PREFIX)/share

# Commands that make install installs.
COMMANDS := $(notdir $(wildcard cmd/tracec*))

# Modules with a go.mod of their own, so that users of the root module do not download their
# dependencies. export/beam has a go.work, which builds it with this copy of the root module.
MODULES := tools/release export/beam

# Packages with files that depend on the tag purego. Vetting the whole tree with that tag would
# compile Go's own cryptography and all packages that import it once more.
PUREGO = $(shell git grep -l '^//go:build.*purego' -- '*.go' ':!*/testdata/*' | xargs -n1 dirname | sort -u | sed 's|^|./|')

STATICCHECK := $(GO) tool -modfile=tools/go.mod staticcheck

.DEFAULT_GOAL := help
.PHONY: help build commands man install docs test skipped modules consumers proofs race lint lint-modules tidy generate check-generate fuzz mutate bench compare compare-installed invariants release check-release ci clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: commands ## compile everything; the command goes to bin/tracec
	$(GO) build ./...

commands: ## compile the commands that make install installs, to BIN (bin)
	CGO_ENABLED=$(CGO_ENABLED) $(GO) build -o $(BIN)/ $(COMMANDS:%=./cmd/%)

man: ## write the manual and completions of shells to BIN/share; VERSION=v1.2.3
	rm -rf $(BIN)/share
	$(GO) run ./cmd/internal/man -o $(BIN)/share -version '$(VERSION)'

install: commands man ## install the commands, their manual and completions; PREFIX (/usr/local), DESTDIR
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/man/man1" "$(SHARE)/man/man7" "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d"
	install -m 755 $(COMMANDS:%=$(BIN)/%) "$(DESTDIR)$(PREFIX)/bin/"
	install -m 644 $(BIN)/share/man/man1/*.1 "$(SHARE)/man/man1/"
	install -m 644 $(BIN)/share/man/man7/*.7 "$(SHARE)/man/man7/"
	install -m 644 $(BIN)/share/completions/bash/tracec "$(SHARE)/bash-completion/completions/tracec"
	install -m 644 $(BIN)/share/completions/zsh/_tracec "$(SHARE)/zsh/site-functions/_tracec"
	install -m 644 $(BIN)/share/completions/fish/tracec.fish "$(SHARE)/fish/vendor_completions.d/tracec.fish"

docs: ## run the commands of docs/, and write what they print and the pictures into it; README's table of speed
	UPDATE_DOCS=1 $(GO) test -count=1 -run 'TestPages|TestSpeed' ./docs

test: ## run all tests but the long proofs: README's command
	$(GO) test ./...

skipped: ## run all tests, and say for each package what was skipped and why
	@$(GO) test -v ./... | awk '/^skipped [0-9]+: / { line = $$0 } \
		/^FAIL/ { failed = 1; print } \
		/^(ok|FAIL)[ \t]+[^ \t]+\// { if (line != "") print $$2 ": " line; line = "" } \
		END { exit failed }'

modules: ## vet and test the modules of their own: the release, Beam
	@for m in $(MODULES); do echo $$m; $(GO) -C $$m vet ./... && $(GO) -C $$m test -vet=off -timeout 30m ./... || exit 1; done

consumers: ## install what tests of exports compare with: DuckDB, Perfetto's engine, speedscope, Chromium
	bash .ci/consumers

proofs: ## run all tests with the long proofs, such as generated code of whole kernels and builds for all systems; on this kernel, too, as root
	TRACEC_PROOFS=1 TRACEC_LIVE=1 $(GO) test -count=1 -timeout 120m ./...

race: ## run all tests but the long proofs under the race detector
	$(GO) test -race -timeout 60m ./...

lint: ## gofmt, go vet (both builds of the generated code), staticcheck
	@test -z "$$(gofmt -l .)" || { echo "not formatted (run gofmt -w):"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags purego $(PUREGO)
	$(STATICCHECK) ./...
	@$(MAKE) --no-print-directory lint-modules

lint-modules: ## go vet and staticcheck of the modules of their own, which make lint ends with
	@check=$$($(STATICCHECK:tool%=tool -n%)) || exit 1; \
	for m in $(filter-out tools/release,$(MODULES)); do echo $$m; (cd $$m && $(GO) vet ./... && $$check ./...) || exit 1; done

tidy: ## go mod tidy of all modules
	$(GO) mod tidy
	$(GO) -C tools mod tidy
	$(GO) -C tools/release mod tidy
	@# The version that export/beam requires may not be published yet. For tidy, a replace line puts this
	@# copy of the repository in its place. The line is dropped afterwards.
	cd export/beam && cp go.mod tidy.mod && cp go.sum tidy.sum && $(GO) mod edit -replace github.com/tracec/tracec=../.. tidy.mod && \
	GOWORK=off $(GO) mod tidy -modfile=tidy.mod && $(GO) mod edit -dropreplace github.com/tracec/tracec tidy.mod && \
	mv tidy.mod go.mod && mv tidy.sum go.sum

generate: ## run go generate
	$(GO) generate ./...

check-generate: ## fail when go generate changes a file
	@before=$$(git status --porcelain && git diff | git hash-object --stdin); \
	$(GO) generate ./... || exit 1; \
	after=$$(git status --porcelain && git diff | git hash-object --stdin); \
	test "$$before" = "$$after" || { echo "generated files are stale: commit what make generate writes"; git status --short; exit 1; }

fuzz: ## run every fuzz target for FUZZTIME each (10s)
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done

mutate: ## put MUTANTS (1000000) damaged inputs of each kind through the whole command, from SEED (1); RUN picks kinds
	$(GO) test ./internal/command -run 'TestMutants/$(RUN)' -mutants $(MUTANTS) -mutants-seed $(SEED) -mutants-keep $(CURDIR)/internal/command/testdata/mutants -timeout 0 -v

bench: ## measure on a trace of 400 MB beside trace-cmd, and write BENCHMARKS.md and README's table of speed
	$(GO) run ./cmd/internal/bench
	UPDATE_DOCS=1 $(GO) test -count=1 -run TestSpeed ./docs

compare: ## compare reports with the saved reference texts; RUN='bookworm*/markers' picks some
	$(GO) run ./cmd/internal/compare $(if $(RUN),-v -run '$(RUN)',-unused)

compare-installed: ## compare with uftrace 0.13, trace-cmd 3.1.6, babeltrace2 2.0.4 and perf 6.1 of this machine, options alone and in pairs; SEED (1), PAIRS (40), RUN='installed/forks*', MODE=u-graph, COMMAND='-r '
	$(GO) run ./cmd/internal/compare -installed -v -seed $(SEED) -pairs $(PAIRS) $(if $(RUN),-run '$(RUN)') $(if $(MODE),-mode '$(MODE)') $(if $(COMMAND),-command '$(COMMAND)')

invariants: ## check what must hold in every recording
	$(GO) test -count=1 -v ./cmd/internal/invariants

release: ## build what a release ships into DIR (dist); VERSION=v1.2.3
	$(GO) -C tools/release run . build -o $(or $(DIR),dist) -version $(VERSION)

check-release: ## make release in two folders and compare the bytes; the first stays in dist
	rm -rf dist && $(MAKE) release DIR=dist
	@temp=$$(mktemp -d) && trap 'rm -rf "$$temp"' EXIT && \
	git clone -q . "$$temp/other place" && $(MAKE) -C "$$temp/other place" release DIR=dist GO="$(GO)" VERSION=$(VERSION) && \
	diff -r dist "$$temp/other place/dist" && echo "both folders hold the same bytes"

ci: ## what CI runs
	bash .ci/run

clean: ## remove what build made
	rm -rf bin dist

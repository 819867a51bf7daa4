// Package tracec_test checks properties of the whole module.
package tracec_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"github.com/tracec/tracec/internal/testkit/needs"
)

const module = "github.com/tracec/tracec/"

// front is package tracec itself, without the packages below it.
const front = "=github.com/tracec/tracec"

// arrows lists the packages that each part may import in addition to the standard library and
// itself (docs/architecture.md). The longest matching folder counts. An entry that starts with =
// does not include packages below it. cmd may import everything, and nothing imports cmd.
var arrows = map[string][]string{
	"grammar": {module + "grammar/diag", "github.com/alecthomas/participle/v2"},
	// messages give the option to type
	"grammar/filter": {module + "internal/shell"},
	// the AST's positions
	"compiler": {module + "compiler", module + "grammar",
		"github.com/alecthomas/participle/v2/lexer"},
	"compiler/ftrace": {module + "compiler", module + "grammar", module + "runtime/render",
		"github.com/alecthomas/participle/v2/lexer"},
	"compiler/trcfmt": {module + "compiler", module + "grammar", module + "runtime/render",
		"github.com/alecthomas/participle/v2/lexer"},
	// as irtest
	"internal/testkit/trctest": {module + "compiler", module + "grammar", module + "runtime/render",
		"pgregory.net/rapid"},
	"compiler/uftrace": {module + "compiler", module + "grammar", module + "runtime/render",
		"github.com/alecthomas/participle/v2/lexer"},
	// whose fields it lowers
	"compiler/lttng": {module + "compiler", module + "grammar", module + "runtime/lttng",
		module + "runtime/bind"},
	"github.com/tracec/tracec": {module + "compiler", module + "grammar/filter", module + "runtime",
		module + "internal"},
	// whose classes it lowers
	"compiler/ctf": {module + "compiler", module + "runtime/ctf", module + "runtime/bind",
		module + "runtime/render"},
	// whose attributes it lowers
	"compiler/perf":            {module + "compiler", module + "runtime/perf"},
	"compiler/ftrace/recorded": {module + "compiler", module + "runtime/ftrace", module + "runtime/render"},
	// of open traces
	"compiler/lttng/recorded": {module + "compiler", module + "runtime/lttng", module + "runtime/bind"},
	// of open recordings
	"compiler/uftrace/recorded": {module + "compiler", module + "runtime/uftrace", module + "runtime/record"},
	"compiler/filter": {module + "grammar/filter", module + "compiler/interp", module + "compiler/ir",
		module + "runtime/record", module + "runtime/render", module + "internal/suggest"},
	// bind decides the classes of events
	"compiler/contract": {module + "compiler/ir", module + "grammar/diag", module + "runtime/bind"},
	"compiler/ir":       {},
	// whose layouts it lowers
	"compiler/sequence": {module + "compiler/ir", module + "runtime/bind"},
	// only tests import it
	"internal/testkit/irtest": {module + "compiler/ir", module + "compiler/sequence", module + "runtime/render",
		"pgregory.net/rapid"},
	"compiler/interp": {module + "compiler", module + "runtime"},
	"gen": {"=" + module + "compiler", module + "compiler/ir", module + "grammar/diag",
		module + "runtime/bind", module + "gen/internal", "github.com/dave/jennifer", "golang.org/x/tools/go/packages"},
	"gen/internal/name": {},
	"gen/internal/load": {"golang.org/x/tools/go/packages"},
	"gen/internal/page": {"github.com/dave/jennifer"},
	"gen/internal/expr": {module + "compiler/ir", "github.com/dave/jennifer"},
	"gen/internal/own": {module + "compiler/ir", module + "grammar/diag", module + "gen/internal",
		module + "internal/suggest", "github.com/dave/jennifer", "golang.org/x/tools/go/packages"},
	"gen/sorted":   {"golang.org/x/tools/go"},
	"gen/lifetime": {module + "gen/sorted", "golang.org/x/tools/go"}, // analyzers of programs
	"gen/fits": {module + "gen", module + "gen/sorted", module + "runtime/bind",
		"golang.org/x/tools/go"},
	"runtime":                  {module + "runtime/record", module + "runtime/internal"}, // containers
	"runtime/record":           {},
	"runtime/internal":         {module + "runtime/record"},
	"runtime/render":           {},
	"runtime/index":            {},
	"runtime/symbols":          {module + "runtime/internal", "=" + module + "runtime/symbols"},
	"runtime/symbols/demangle": {"github.com/ianlancetaylor/demangle"},
	"runtime/ftrace": {module + "runtime/record", "=" + module + "runtime/symbols",
		module + "internal/folder", module + "runtime/index", module + "runtime/internal", module + "internal/spool",
		"github.com/klauspost/compress"},
	"runtime/ftrace/tracewrite": {module + "runtime/ftrace", module + "internal/fileset",
		"github.com/klauspost/compress"},
	"runtime/ftrace/tracefs": {module + "runtime/record", module + "runtime/ftrace"},
	"runtime/aix": {module + "runtime/record", module + "internal/folder",
		module + "runtime/internal", module + "internal/spool"},
	"runtime/aix/errno":    {module + "runtime/render"},
	"runtime/ftrace/errno": {module + "runtime/render"},
	"runtime/aix/facts":    {module + "runtime/record", module + "runtime/aix", module + "runtime/render"},
	"runtime/lttng": {module + "runtime/record", module + "internal/folder", module + "runtime/index",
		module + "runtime/internal"},
	// decision 020
	"runtime/ctf": {module + "runtime/record", module + "internal/folder", module + "runtime/index",
		module + "runtime/internal", module + "grammar/tsdl", module + "grammar/diag",
		"github.com/alecthomas/participle/v2/lexer"},
	// descriptions of tracepoints are ftrace's
	"runtime/perf": {module + "runtime/record", module + "internal/folder", module + "runtime/index",
		module + "runtime/internal", module + "internal/spool", module + "runtime/ftrace", module + "runtime/symbols",
		"github.com/klauspost/compress"},
	"runtime/perf/layout": {module + "runtime/record", module + "runtime/bind", module + "runtime/perf"},
	"runtime/ctf/layout":  {module + "runtime/record", module + "runtime/bind", module + "runtime/ctf"},
	"runtime/uftrace": {module + "runtime/record", module + "internal/folder", module + "runtime/index",
		module + "runtime/internal", module + "runtime/ftrace", "=" + module + "runtime/perf",
		module + "runtime/symbols"},
	"runtime/uftrace/callstack": {module + "runtime/record", module + "runtime/uftrace",
		module + "runtime/symbols/demangle", module + "internal/suggest"},
	"runtime/lttng/process":  {module + "runtime/record", module + "runtime/lttng", module + "runtime/render"},
	"runtime/ftrace/layout":  {module + "runtime/record", module + "runtime/bind", module + "runtime/ftrace"},
	"runtime/aix/layout":     {module + "runtime/record", module + "runtime/bind", module + "runtime/aix"},
	"runtime/uftrace/layout": {module + "runtime/record", module + "runtime/bind", module + "runtime/uftrace"},
	"runtime/lttng/layout":   {module + "runtime/record", module + "runtime/bind", module + "runtime/lttng"},
	"runtime/archive": {module + "runtime/record", module + "runtime/internal",
		"github.com/klauspost/compress", "github.com/therootcompany/xz"},
	"runtime/bind":    {module + "runtime/record", module + "runtime/render", module + "runtime/gencode"},
	"runtime/gencode": {module + "runtime/render"},
	"report": {front, module + "report", module + "compiler", module + "grammar",
		module + "runtime", module + "internal", "golang.org/x/term", "github.com/rivo/uniseg"},
	"report/facts":  {module + "runtime/record"},
	"report/totals": {module + "export/tables", module + "report", module + "internal/suggest"},
	"report/style":  {"golang.org/x/term"},
	// generated packages are sides as well
	"report/sides": {module + "report", module + "internal/sources", module + "internal/trcfiles",
		module + "compiler", module + "gen", module + "grammar/diag", module + "runtime/bind"},
	"export/tables": {module + "export", front, module + "runtime", module + "grammar/filter",
		module + "internal/suggest"},
	// the only one with SQLite
	"export/sql": {module + "export/columns", module + "export/tables", front,
		module + "runtime/record", module + "internal/suggest", "modernc.org/sqlite"},
	"export/timeline": {module + "export", front, module + "internal/pattern", module + "runtime"},
	"export/flame":    {module + "internal/loopback"},
	"export/chrome": {module + "export/timeline", module + "export/columns", front,
		module + "runtime/record"},
	"export/profile": {module + "export/timeline", module + "export/columns", front,
		module + "internal/lookup", module + "runtime/record", "google.golang.org/protobuf/encoding/protowire"},
	"export/parquet": {front, module + "export/columns", module + "export/tables", module + "runtime",
		module + "internal/fileset", module + "internal/spool", "github.com/parquet-go",
		"github.com/klauspost/compress"},
	"export/columns": {front, module + "runtime/record", module + "runtime/render"},
	"export/ndjson":  {module + "export/columns", front},
	"export/csv":     {module + "export/columns", front},
	"export/ctf":     {front, module + "runtime", module + "internal/fileset"},
	"export/perfetto": {module + "export", front, module + "runtime",
		"google.golang.org/protobuf/encoding/protowire"},
	// only tests import it
	"internal/testkit/livetest": {module + "runtime/ftrace", module + "runtime/record"},
	// only tests import it
	"internal/testkit/vettest": {"golang.org/x/tools/go"},
	// only tests import it
	"internal/testkit/indextest": {module + "runtime/index"},
	// only tests import it
	"internal/testkit/lttngtest": {module + "runtime/lttng"},
	// only tests import it
	"internal/testkit/perfettotest": {module + "internal/testkit"},
	// only tests import it
	"internal/testkit/ctftest": {module + "internal/testkit/needs", module + "internal/testkit/packed"},
	// only tests import it
	"internal/testkit/perftest": {module + "internal/testkit/needs", module + "internal/testkit/packed",
		module + "runtime/record"},
	// only tests import it
	"internal/testkit/packed": {"github.com/klauspost/compress"},
	// only tests import it
	"internal/testkit/uftracetest": {module + "internal/testkit/needs", module + "internal/testkit/packed",
		module + "runtime/uftrace", "github.com/google/go-cmp", "golang.org/x/tools/txtar", "pgregory.net/rapid"},
	// only tests import it
	"internal/testkit/hostile": {module + "internal/testkit/needs"},
	// whose recordings are opened and described
	"internal/sources": {module + "compiler", module + "grammar/diag", module + "runtime",
		module + "internal"},
	// of events
	"internal/selection": {module + "compiler/filter", module + "internal/pattern",
		module + "internal/suggest", module + "runtime/record"},
	"internal/trcfiles": {module + "compiler", module + "grammar/diag", module + "grammar/trcfmt",
		module + "internal/pattern", module + "internal/selection", module + "runtime/aix", module + "runtime/archive"},
	"internal/input": {module + "internal/folder", module + "internal/spool",
		module + "runtime/archive"},
	// compiled when an event asks for them
	"internal/programs": {module + "compiler", module + "runtime", module + "internal/ordered"},
	"internal/pattern":  {}, // names of events
	// folders with unknown contents
	"internal/folder": {},
	// for goroutines of reports that work without knowing earlier results
	"internal/fold": {},
	// tables of reports and exports
	"internal/lookup": {},
	// rendering with several goroutines, for reports and readers of package tracec
	"internal/ordered": {},
	// files that writers of the runtime and the command replace
	"internal/fileset": {module + "internal/spool"},
	"internal/shell":   {}, // words of command lines in messages
	// the temporary files of the runtime and of the command
	"internal/spool": {},
	// suggestions in messages of the runtime, the reports and the command
	"internal/suggest": {},
}

// TestArrows: imports point one way, and generated code pulls in neither participle nor jennifer.
func TestArrows(t *testing.T) {
	all, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedImports}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("only %d packages", len(all))
	}
	for _, p := range all {
		allowed, ok := allowedFor(strings.TrimPrefix(p.PkgPath, module))
		if !ok {
			continue
		}
		for imp := range p.Imports {
			if !permitted(imp, p.PkgPath, allowed) {
				t.Errorf("%s must not import %s", p.PkgPath, imp)
			}
		}
	}
}

// rooms are the folders of each system, by its container. Code for another system may use a
// container only if it is listed.
var rooms = map[string][]string{
	// uftrace and perf record the kernel with it
	"ftrace": {"grammar/ftrace", "compiler/ftrace", "runtime/ftrace", "report/tracecmd", "runtime/uftrace",
		"report/uftrace", "cmd/internal/stretch", "export/perfetto", "runtime/perf"},
	"aix":     {"grammar/trcfmt", "compiler/trcfmt", "runtime/aix", "report/trcrpt"},
	"uftrace": {"grammar/uftrace", "compiler/uftrace", "runtime/uftrace", "report/uftrace"},
	"ctf":     {"grammar/tsdl", "compiler/ctf", "runtime/ctf", "report/babeltrace", "export/ctf"},
	// uftrace keeps records of the kernel like perf
	"perf":  {"compiler/perf", "runtime/perf", "report/perf", "runtime/uftrace"},
	"lttng": {"grammar/lttng", "compiler/lttng", "runtime/lttng", "report/textdump"},
}

// nativeFiles are the files of internal/command with commands of a system's own tool.
var nativeFiles = regexp.MustCompile(`^(textdump|uftrace|tracecmd|perf|update|live)(_[a-z]+)*\.go$`)

// TestRooms: outside of its rooms, a system is known only in the places where docs/architecture.md
// names a change for a new system.
func TestRooms(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(text), "Other code may know it only in")
	if !ok {
		t.Fatal("docs/architecture.md has no list")
	}
	list, _, _ = strings.Cut(list, "(`TestRooms`)")
	listed := regexp.MustCompile("`([a-z/]+)`").FindAllStringSubmatch(list, -1)
	all, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax},
		"./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		folder := strings.TrimPrefix(p.PkgPath, module)
		if folder+"/" == module {
			folder = "tracec"
		}
		if strings.HasPrefix(folder, "internal/testkit/") {
			continue
		}
		known := slices.ContainsFunc(listed, func(m []string) bool { return within(folder, m[1]) })
		for _, f := range p.Syntax {
			for _, imp := range f.Imports {
				path, _ := strings.CutPrefix(strings.Trim(imp.Path.Value, `"`), module+"runtime/")
				system, _, _ := strings.Cut(path, "/")
				own := func(room string) bool { return within(folder, room) }
				if rooms[system] == nil || slices.ContainsFunc(rooms[system], own) {
					continue
				}
				if name := filepath.Base(p.Fset.Position(f.Package).Filename); !known ||
					folder == "internal/command" && !nativeFiles.MatchString(name) {
					t.Errorf("%s/%s knows %s", folder, name, system)
				}
			}
		}
	}
}

// allowedFor finds the rule for a folder. ok is false for cmd and testdata.
func allowedFor(folder string) ([]string, bool) {
	for f := folder; f != "."; f = filepath.ToSlash(filepath.Dir(f)) {
		if list, ok := arrows[f]; ok {
			return list, true
		}
	}
	return nil, false
}

func permitted(imp, self string, allowed []string) bool {
	if !strings.Contains(strings.Split(imp, "/")[0], ".") || within(imp, self) {
		return true // the standard library, and a package's own sub-packages
	}
	for _, a := range allowed {
		if exact, ok := strings.CutPrefix(a, "="); ok && imp == exact || !ok && within(imp, a) {
			return true
		}
	}
	return false
}

func within(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// TestNoReplace: a replace or exclude line in any module would break go install …@latest and go get
// -tool for users. A module that needs the root module requires a version of it. Its go.work uses
// the folder instead of that version.
func TestNoReplace(t *testing.T) {
	for _, name := range []string{"go.mod", "tools/go.mod", "tools/release/go.mod", "export/beam/go.mod"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		mod, err := modfile.Parse(name, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(mod.Replace)+len(mod.Exclude) > 0 {
			t.Errorf("%s has lines of replace or exclude", name)
		}
		for _, r := range mod.Require {
			if r.Mod.Path+"/" == module {
				worksWith(t, filepath.Join(filepath.Dir(name), "go.work"), r.Mod.Version)
			}
		}
	}
}

// worksWith checks that a workspace uses the folder of the root module for a version.
func worksWith(t *testing.T, name, version string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	work, err := modfile.ParseWork(name, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range work.Replace {
		if r.Old.Path+"/" != module || r.Old.Version != version {
			t.Errorf("%s replaces %s, but go.mod requires %s", name, r.Old, version)
		}
	}
	if len(work.Replace) != 1 {
		t.Errorf("%s has %d lines of replace, want 1", name, len(work.Replace))
	}
}

// TestFileSize: no hand-written file is longer than 600 lines.
func TestFileSize(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "*.go").Output()
	if err != nil {
		needs.Skip(t, "no git here", err)
	}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(name)
		if err != nil || bytes.HasPrefix(text, []byte("// Code generated")) || strings.Contains(name, "testdata/") {
			continue
		}
		if n := bytes.Count(text, []byte("\n")); n > 600 {
			t.Errorf("%s has %d lines", name, n)
		}
	}
}

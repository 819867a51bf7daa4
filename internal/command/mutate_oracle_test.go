package command

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"
)

const (
	// mutantDeadline is far above the time of any mutant on a busy machine.
	mutantDeadline = 2 * time.Minute
	// mutantMemory is the value of --memory for a mutant. mutantReserve is for the program itself,
	// its tables and this test.
	mutantMemory  = 64 << 20
	mutantReserve = 128 << 20
	// generatorReserve is the additional memory for generating code for all events of a kernel.
	generatorReserve = 256 << 20
	// Limits of the output: for each byte of the input, and in addition.
	outputPerByte, outputFree = 4 << 10, 64 << 20
)

// result is the outcome of a command.
type result struct {
	code           int
	stdout, stderr bytes.Buffer
	size           int64 // of standard output
	limit          int64
}

// Write receives standard output and keeps its beginning.
func (r *result) Write(p []byte) (int, error) {
	if r.size += int64(len(p)); r.size > r.limit {
		return 0, errTooMuch
	}
	if r.stdout.Len() < 8<<20 {
		r.stdout.Write(p)
	}
	return len(p), nil
}

var errTooMuch = errors.New("more output than any input explains")

// run runs a command in this process and applies the oracles that need only its outcome.
func (k *kindRun) run(name, command, path string, size int) error {
	res, err := k.command(name, command, path, size)
	if err != nil {
		return err
	}
	if err := res.contract(path); err != nil {
		return err
	}
	if strings.Contains(command, "OUT") && res.code <= exitDamaged {
		k.checked["generated code"]++
		return checkGenerated(k.out())
	}
	return nil
}

// out is the directory for the files that a command generates.
func (k *kindRun) out() string { return filepath.Join(k.dir, "out") }

// command runs a command whose arguments are separated by blanks.
func (k *kindRun) command(name, command, path string, size int) (res *result, err error) {
	args := strings.Fields(command)
	for i, a := range args {
		args[i] = strings.NewReplacer("FILE", path, "OUT", k.out()).Replace(a)
	}
	if strings.Contains(command, "OUT") {
		os.RemoveAll(k.out())
		os.MkdirAll(k.out(), 0o777)
	}
	if args[0] != "fmt" && args[0] != "update" { // these open no recording
		args = append(args, "--memory", fmt.Sprint(mutantMemory))
	}
	res = &result{limit: outputFree + int64(size)*outputPerByte}
	done := k.watch.begin(name + ": tracec " + strings.Join(args, " "))
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("panic: %v\n%s", e, debug.Stack())
		}
		limit := int64(mutantMemory + mutantReserve)
		if args[0] == "gen" {
			limit += generatorReserve
		}
		if heap := done(); heap > limit && err == nil {
			err = fmt.Errorf("the heap grew to %d MiB", heap>>20)
		}
	}()
	k.runs++
	res.code = run(args, strings.NewReader(""), res, &res.stderr)
	if res.code >= 0 && res.code < len(k.codes) {
		k.codes[res.code]++
	}
	if res.size > res.limit {
		return res, errTooMuch
	}
	return res, nil
}

// place matches places in messages: an offset, or a line.
var place = regexp.MustCompile(`offset \d+|:\d+|line \d+`)

// offset matches a place of damage, but not the name of a symbol.
var offset = regexp.MustCompile(`\boffset \d`)

// contract checks the meaning of the exit codes.
func (r *result) contract(path string) error {
	text := r.stderr.String()
	switch r.code {
	case exitOK:
		for line := range strings.Lines(text) {
			if offset.MatchString(line) && !strings.Contains(line, ": warning: ") {
				return fmt.Errorf("exit 0 with a message about damage: %s", line)
			}
		}
	case exitDamaged:
		if text += r.stdout.String(); text == "" { // vet prints its findings there
			return errors.New("exit 1 without a message")
		}
		if !strings.Contains(text, filepath.Base(path)) && !place.MatchString(text) {
			return fmt.Errorf("exit 1 without file and offset: %s", firstLine(text))
		}
	case exitUsage, exitFailed:
		if !strings.Contains(text, "tracec: ") {
			return fmt.Errorf("exit %d without a message", r.code)
		}
	default:
		return fmt.Errorf("exit %d", r.code)
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// watchdog ends the test if a command hangs, and measures the heap during commands.
type watchdog struct {
	current atomic.Pointer[string]
	since   atomic.Int64
	peak    atomic.Int64
	all     int64
	stop    chan struct{}
}

func newWatchdog(t *testing.T) *watchdog {
	w := &watchdog{stop: make(chan struct{})}
	go w.run()
	t.Cleanup(func() { close(w.stop) })
	return w
}

func (w *watchdog) run() {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
		}
		w.measure()
		name := w.current.Load()
		if name == nil {
			continue
		}
		if time.Since(time.Unix(0, w.since.Load())) > mutantDeadline {
			fmt.Fprintf(os.Stderr, "hangs: %s\n", *name)
			pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
			os.Exit(3)
		}
	}
}

func (w *watchdog) measure() {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if n := int64(sample[0].Value.Uint64()); n > w.peak.Load() {
		w.peak.Store(n)
	}
}

// begin stores the name of the run. It returns a function that returns the largest size of the
// heap.
func (w *watchdog) begin(name string) func() int64 {
	if w.all == 0 || w.peak.Load() > (mutantMemory+mutantReserve)/2 { // garbage of other tests, or of an earlier run
		runtime.GC()
	}
	w.peak.Store(0)
	w.since.Store(time.Now().UnixNano())
	w.current.Store(&name)
	return func() int64 {
		w.measure()
		w.current.Store(nil)
		w.all = max(w.all, w.peak.Load())
		return w.peak.Load()
	}
}

func (w *watchdog) most() int64 { return w.all }

// checkGenerated parses and type-checks the packages below a directory.
func checkGenerated(dir string) error {
	fset := token.NewFileSet()
	folders := map[string][]*ast.File{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.Contains(path, "_purego") {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], f)
		return err
	})
	if err != nil {
		return fmt.Errorf("generated code: %w", err)
	}
	in := &importer{fset: fset, root: dir, folders: folders, done: map[string]*types.Package{}}
	for folder := range folders {
		if _, err := in.folder(folder); err != nil {
			return fmt.Errorf("generated code: %w", err)
		}
	}
	return nil
}

// importer imports the packages that generated code may import: packages of runtime, and packages
// that were generated with it.
type importer struct {
	fset    *token.FileSet
	root    string
	folders map[string][]*ast.File
	done    map[string]*types.Package
}

// splitPath is the import path of split packages in the commands of this test.
const splitPath = "example.org/p"

func (in *importer) folder(folder string) (*types.Package, error) {
	if p := in.done[folder]; p != nil {
		return p, nil
	}
	config := types.Config{Importer: in}
	p, err := config.Check(filepath.Base(folder), in.fset, in.folders[folder], nil)
	in.done[folder] = p
	return p, err
}

// Import implements types.Importer.
func (in *importer) Import(path string) (*types.Package, error) {
	if rest, ok := strings.CutPrefix(path, splitPath+"/"); ok {
		return in.folder(filepath.Join(in.root, filepath.FromSlash(rest)))
	}
	all, err := loadRuntime()
	if p := all[path]; p != nil && err == nil {
		return p, nil
	}
	return nil, fmt.Errorf("generated code imports %s (%v)", path, err)
}

var loadRuntime = sync.OnceValues(func() (map[string]*types.Package, error) {
	mode := packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile
	list, err := packages.Load(&packages.Config{Mode: mode}, "github.com/tracec/tracec/runtime/...")
	all := map[string]*types.Package{"unsafe": types.Unsafe}
	packages.Visit(list, nil, func(p *packages.Package) {
		if all[p.PkgPath] == nil && p.Types != nil {
			all[p.PkgPath] = p.Types
		}
	})
	return all, err
})

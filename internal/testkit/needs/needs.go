// Package needs declares the requirements of a test on the machine, and skips the test if they are
// not met.
//
// Every skipped test of the module uses this package. A package with such tests has a TestMain that
// calls [Main]. It ends the output of the package with a line that counts the skipped tests by
// reason. go test prints the line with -v, in a package's own directory, and if the package fails.
// make skipped prints the lines of all packages.
package needs

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Environment variables for tests.
const (
	// ProofsVariable is set to run the long proofs, as in make proofs and CI.
	ProofsVariable = "TRACEC_PROOFS"
	// LiveVariable is set to allow tests to record on the tracefs of this machine, as in CI.
	LiveVariable = "TRACEC_LIVE"
	// SharedVariable names the folder of recordings that are not in the repository. The default is
	// ../shared.
	SharedVariable = "TRACEC_SHARED"
	// PartialVariable names a folder for the names of tests that left something out. CI runs them
	// again where nothing is missing.
	PartialVariable = "TRACEC_PARTIAL"
	// MutantsVariable and SeedVariable are the number of damaged inputs of a kind that a test
	// makes, and their seed. CI uses another seed each week.
	MutantsVariable = "TRACEC_MUTANTS"
	SeedVariable    = "TRACEC_SEED"
)

// Main runs the tests of a package and ends the process: func TestMain(m *testing.M) {
// needs.Main(m) }.
func Main(m *testing.M) { os.Exit(Run(m)) }

// Run is Main for packages with further work after the tests. It returns the exit code.
func Run(m *testing.M) int {
	collectLess()
	code := m.Run()
	skips.write(os.Stdout)
	return code
}

// Counted is a testing.M whose Run is [Run], for callers that pass on a testing.M.
type Counted struct{ *testing.M }

// Run runs the tests.
func (c Counted) Run() int { return Run(c.M) }

// collectLess raises GOGC for this process and its children, especially compilers: garbage is
// collected once memory has grown to five times the memory in use. Tests make much garbage and need
// little memory, so a fifth of their processor time would go to the collector. It does not change a
// GOGC that is set.
func collectLess() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const percent = 400
	debug.SetGCPercent(percent)
	os.Setenv("GOGC", strconv.Itoa(percent))
}

// skips counts the skipped tests of the process.
var skips tally

// tally counts skipped tests by reason.
type tally struct {
	mu      sync.Mutex
	reasons map[string]int
}

func (s *tally) add(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reasons == nil {
		s.reasons = map[string]int{}
	}
	s.reasons[reason]++
}

// write writes the line, or nothing if no test was skipped. The most frequent reasons are first.
func (s *tally) write(w io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := 0
	reasons := slices.SortedFunc(maps.Keys(s.reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.reasons[b], s.reasons[a]), cmp.Compare(a, b))
	})
	var words []string
	for _, r := range reasons {
		total += s.reasons[r]
		words = append(words, fmt.Sprintf("%d %s", s.reasons[r], r))
	}
	if total > 0 {
		fmt.Fprintf(w, "skipped %d: %s\n", total, strings.Join(words, "; "))
	}
}

// Skip skips a test and counts it. The reason is short and the same for all tests with the same
// requirement, such as "no symbolic links here". Only the test prints details, such as an error.
func Skip(t testing.TB, reason string, details ...any) {
	t.Helper()
	leftOut(t)
	skips.add(reason)
	t.Skip(append([]any{reason}, details...)...)
}

// Proofs skips a test unless the long proofs are requested. A quick part of the same proof belongs
// in a separate test, or in the same test with fewer cases: see [LongProofs].
func Proofs(t testing.TB) {
	t.Helper()
	if !LongProofs(t) {
		Skip(t, "long proofs ("+ProofsVariable+"=1, make proofs)")
	}
}

// notes holds the files that this process wrote about tests that left something out.
var notes sync.Map

// leftOut notes that a test leaves something out. It writes a file with one line: the import path
// of the package and the name of the top-level test. If t is nil, the line has no name, and CI runs
// the whole package. Test binaries that a test starts note the same package.
func leftOut(t testing.TB) {
	dir := os.Getenv(PartialVariable)
	if dir == "" {
		return
	}
	line := binaryPackage()
	if t != nil {
		name, _, _ := strings.Cut(t.Name(), "/")
		line += " " + name
	}
	file := filepath.Join(dir, strings.ReplaceAll(line, "/", "%"))
	if _, noted := notes.LoadOrStore(file, true); noted {
		return
	}
	if err := os.WriteFile(file, []byte(line+"\n"), 0o666); err != nil {
		panic(err)
	}
}

// binaryPackage returns the import path of the package that this test binary tests.
func binaryPackage() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		panic("a test binary has no build information")
	}
	return strings.TrimSuffix(info.Path, ".test")
}

// LongProofs reports whether the long proofs are requested, for tests with a variable number of
// cases. t is nil outside a test.
func LongProofs(t testing.TB) bool {
	long := os.Getenv(ProofsVariable) != ""
	if !long {
		leftOut(t)
	}
	return long
}

// Live skips a test unless tests may record on this machine, as root. They use their own instances
// of tracefs.
func Live(t testing.TB) {
	t.Helper()
	switch {
	case os.Getenv(LiveVariable) == "":
		Skip(t, "record on this machine ("+LiveVariable+"=1)")
	case runtime.GOOS != "linux" || os.Getuid() != 0 || !tracefsMounted():
		Skip(t, "need Linux, tracefs and root")
	}
}

// tracefsMounted reports whether the kernel's tracefs is mounted anywhere.
func tracefsMounted() bool {
	mounts, err := os.ReadFile("/proc/mounts")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(mounts)) {
		if f := strings.Fields(line); len(f) > 2 && f[2] == "tracefs" {
			return true
		}
	}
	return false
}

// Shared returns the path of a file or folder of ../shared/data, which is not in the repository. It
// skips the test if the path does not exist.
func Shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(SharedData(t), name)
	if _, err := os.Stat(path); err != nil {
		Skip(t, "need ../shared/data, which is not in the repository", err)
	}
	return path
}

// SharedData returns the path of ../shared/data, which need not exist, for tests that use more
// recordings if it does. A test must pass without it, and must not require a number of cases that
// only it provides.
func SharedData(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(SharedVariable)
	if dir == "" {
		dir = filepath.Join(Root(t), "..", "shared")
	}
	dir = filepath.Join(dir, "data")
	if _, err := os.Stat(dir); err != nil {
		leftOut(t)
	}
	return dir
}

// Root returns the path of the repository.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil &&
			strings.HasPrefix(string(text), "module github.com/tracec/tracec\n") {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod of tracec above the working directory")
		}
		dir = up
	}
}

// Program returns the path of a program. It skips the test if the program is not installed, and
// prints how to install it.
func Program(t testing.TB, name, install string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Skip(t, fmt.Sprintf("no %s (%s)", name, install))
	}
	return path
}

// Consumer returns the path of a folder that .ci/consumers installs in the folder for temporary
// files. variable may name another folder. It skips the test if the folder lacks file.
func Consumer(t testing.TB, variable, folder, file string) string {
	t.Helper()
	dir := cmp.Or(os.Getenv(variable), filepath.Join(os.TempDir(), "consumers", folder))
	if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
		Skip(t, fmt.Sprintf("no %s (make consumers)", folder))
	}
	return dir
}

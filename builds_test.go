package tracec_test

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

func TestMain(m *testing.M) { needs.Main(m) }

// systems are the systems for which README promises the command and generated code. For linux,
// darwin, windows and freebsd these are amd64, arm64, 386 and s390x, as far as Go supports them.
// The other systems only read recordings.
var systems = []string{
	"linux/amd64", "linux/arm64", "linux/386", "linux/s390x",
	"darwin/amd64", "darwin/arm64",
	"windows/amd64", "windows/arm64", "windows/386",
	"freebsd/amd64", "freebsd/arm64", "freebsd/386",
	"aix/ppc64", "js/wasm", "wasip1/wasm",
}

// generated are packages made by tracec gen, from every kind of description.
var generated = []string{
	"./cmd/internal/bench/decoders", "./cmd/internal/bench/templates", "./cmd/internal/bench/markers",
	"./cmd/internal/bench/calls",
}

// TestBuilds builds the command and generated packages, also without unsafe, for every system. Each
// system needs its own compiled standard library, so this is one of the long proofs:
// TRACEC_PROOFS=1 for all systems, or TRACEC_BUILDS=GOOS/GOARCH,... for some. The packages are
// compiled without optimization, which takes a quarter less time, because they are never run.
func TestBuilds(t *testing.T) {
	chosen := systems
	var flags []string
	switch some := os.Getenv("TRACEC_BUILDS"); {
	case some != "":
		chosen = strings.Split(some, ",")
		flags = []string{"-gcflags=all=-N -l -dwarf=false"}
	default:
		needs.Proofs(t)
	}
	for _, system := range chosen {
		t.Run(system, func(t *testing.T) {
			goos, goarch, ok := strings.Cut(system, "/")
			if !ok {
				t.Fatalf("%q is not GOOS/GOARCH", system)
			}
			build(t, goos, goarch, slices.Concat(flags, []string{"./cmd/tracec"})...)
			build(t, goos, goarch, slices.Concat(flags, generated)...)
			build(t, goos, goarch, slices.Concat(flags, []string{"-tags=purego"}, generated)...)
		})
	}
}

// build compiles packages. It does not run or keep them.
func build(t *testing.T, goos, goarch string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"build", "-o", os.DevNull}, args...)...)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	if goos == runtime.GOOS && goarch == runtime.GOARCH {
		cmd.Env = os.Environ()
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go build %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

// machine is a kind of machine whose programs this machine can run, directly or with an emulator.
type machine struct{ arch, emulator string }

// foreign returns a 32-bit machine and a machine of the other byte order, if their programs run
// here. missing describes the other machines. Emulators come from Debian's package qemu-user. 386
// has no emulator, because Go's programs for it fail under qemu-i386.
var foreign = sync.OnceValues(func() (runs []machine, missing []string) {
	for _, kind := range []struct {
		name string
		any  []machine // the first one that runs is used
	}{
		{"of 32 bits", []machine{{"386", ""}, {"arm", "qemu-arm"}}},
		{"with the highest byte first", []machine{{"s390x", "qemu-s390x"}}},
	} {
		if i := slices.IndexFunc(kind.any, machine.works); i >= 0 {
			runs = append(runs, kind.any[i])
		} else {
			missing = append(missing, fmt.Sprintf("%s/%s runs no programs of machines %s: not proved for those",
				runtime.GOOS, runtime.GOARCH, kind.name))
		}
	}
	return runs, missing
})

// works reports whether a program that does nothing runs.
func (m machine) works() bool {
	dir, err := os.MkdirTemp("", "foreign")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	src, bin := filepath.Join(dir, "main.go"), filepath.Join(dir, "main")
	if os.WriteFile(src, []byte("package main\n\nfunc main() {}\n"), 0o600) != nil {
		return false
	}
	build := exec.Command("go", "build", "-o", bin, src)
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+m.arch, "CGO_ENABLED=0")
	return build.Run() == nil && m.command(bin).Run() == nil
}

// command returns a command that runs a program of m.
func (m machine) command(bin string) *exec.Cmd {
	if m.emulator == "" {
		return exec.Command(bin)
	}
	return exec.Command(m.emulator, bin)
}

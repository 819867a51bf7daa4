package command

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tracec/tracec/internal/testkit/needs"
)

func TestMain(m *testing.M) {
	if peak := os.Getenv(childVariable); peak != "" { // see hostile_test.go
		code := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
		status, _ := os.ReadFile("/proc/self/status")
		os.WriteFile(peak, status, 0o666)
		os.Exit(code)
	}
	programs := map[string]func(){"tracec": Main}
	for _, name := range tools {
		programs[name] = Main
	}
	testscript.Main(needs.Counted{M: m}, programs)
}

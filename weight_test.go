package tracec_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// modulesOf returns the other modules that packages are built of, sorted.
func modulesOf(t *testing.T, packages ...string) []string {
	t.Helper()
	args := append([]string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}"}, packages...)
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Fields(string(out))
	slices.Sort(list)
	return slices.Compact(list)
}

// TestWeight: who decodes pays for one module, whoever generates for those of the command, and none of them for a data base.
func TestWeight(t *testing.T) {
	decoding := modulesOf(t, "./runtime/ftrace", "./runtime/ftrace/layout", "./runtime/bind", "./runtime/record")
	if want := []string{"github.com/klauspost/compress"}; !slices.Equal(decoding, want) {
		t.Errorf("a decoder of ftrace is built of %v, want %v", decoding, want)
	}
	command := modulesOf(t, "./cmd/tracec")
	t.Logf("the command is built of %d modules: %v", len(command), command)
	if len(command) > 18 {
		t.Errorf("the command is built of %d modules: %v", len(command), command)
	}
	for _, m := range command {
		if strings.Contains(m, "parquet") || strings.Contains(m, "arrow") || strings.Contains(m, "beam") {
			t.Errorf("the command is built of %s", m)
		}
	}
}

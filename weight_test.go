package tracec_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// dependencies returns a sorted list about the packages that packages are built from. Each line is
// the output of the template for one package. Duplicates are removed.
func dependencies(t *testing.T, template string, packages ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-deps", "-f", template}, packages...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Fields(string(out))
	slices.Sort(list)
	return slices.Compact(list)
}

// otherModules prints the module of a package from another module.
const otherModules = "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}"

// TestWeight: a program that decodes depends on one module. A program that generates also depends
// on the modules that generating needs. Only Beam's own module depends on Beam.
func TestWeight(t *testing.T) {
	decoding := dependencies(t, otherModules, "./runtime/ftrace", "./runtime/ftrace/layout", "./runtime/bind",
		"./runtime/record")
	if want := []string{"github.com/klauspost/compress"}; !slices.Equal(decoding, want) {
		t.Errorf("a decoder of ftrace is built of %v, want %v", decoding, want)
	}
	for _, p := range dependencies(t, "{{.ImportPath}}", ".") {
		if p == "net/http" || strings.HasPrefix(p, module+"report") || strings.HasPrefix(p, module+"export") ||
			strings.Contains(p, "parquet") || p == "golang.org/x/term" {
			t.Errorf("package tracec is built of %s", p)
		}
	}
	command := dependencies(t, otherModules, "./cmd/tracec")
	t.Logf("the command is built of %d modules: %v", len(command), command)
	if len(command) > 29 { // six of them are SQLite and its dependencies
		t.Errorf("the command is built of %d modules: %v", len(command), command)
	}
	generating := dependencies(t, otherModules, "./cmd/tracec-gen")
	t.Logf("tracec-gen is built of %d modules: %v", len(generating), generating)
	if len(generating) > 15 {
		t.Errorf("tracec-gen is built of %d modules: %v", len(generating), generating)
	}
	for _, p := range dependencies(t, "{{.ImportPath}}", "./cmd/tracec-gen") {
		if p == "net/http" || p == "crypto/tls" || strings.HasPrefix(p, module+"export/") ||
			strings.Contains(p, "parquet") || strings.Contains(p, "protobuf") {
			t.Errorf("tracec-gen is built of %s", p)
		}
	}
}

package gen_test

import (
	"runtime"
	"testing"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
)

func randomHooks(seed, n int) []gen.Hook {
	var hooks []gen.Hook
	for i, events := range unit.Hooks(seed, n) {
		hooks = append(hooks, gen.Hook{ID: uint16(i + 1), Label: "DRAWN", Events: events})
	}
	return hooks
}

// Generated templates and interp agree on random programs: text, end and values.
func TestHooksAgreeWithInterp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	m := newModule(t)
	m.driver("templates")
	files, err := gen.GenerateHooks("drawn", randomHooks(1, 60), gen.Options{Package: "hooks", Text: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		m.write("hooks/"+f.Name, f.Content)
	}
	agree(t, m, 1, m.start("templates", nil), "1", "60", "200")
	if runtime.GOARCH == "amd64" && runtime.GOOS == "linux" {
		agree(t, m, 1, m.start("templates", []string{"GOARCH=386"}), "1", "60", "200")
	}
	m.must([]string{"GOARCH=s390x"}, "go", "build", "./hooks")
	m.must(nil, "go", "vet", "./hooks")
}

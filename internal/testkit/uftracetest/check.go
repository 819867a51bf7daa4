package uftracetest

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/uftrace"
)

// CheckSaved compares the output of run with the saved outputs of every recording, for all file
// names in opts. like19 is set for outputs of 0.19.
func CheckSaved[O any](
	t *testing.T, opts map[string]O, run func(t *testing.T, rec *uftrace.Recording, o O, like19 bool) string,
) {
	t.Helper()
	for _, name := range Saved(t) {
		t.Run(name, func(t *testing.T) {
			files := Files(t, name)
			for file, want := range Outputs(t, name) {
				o, ok := opts[path.Base(file)]
				if !ok {
					continue
				}
				if d := cmp.Diff(want, run(t, Open(t, files), o, path.Dir(file) == "0.19")); d != "" {
					t.Errorf("%s (-uftrace +ours):\n%s", file, d)
				}
			}
		})
	}
}

// CheckMade compares the output of run with the outputs of a command, such as graph or dump
// --graphviz, for every made-up recording. run receives the arguments after the command.
func CheckMade(t *testing.T, command string, run func(t *testing.T, rec *uftrace.Recording, args []string) string) {
	t.Helper()
	for _, c := range Cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			for _, o := range c.Outputs {
				args, ok := strings.CutPrefix(strings.Join(o.Args, " ")+" ", command+" ")
				if !ok {
					continue
				}
				if d := cmp.Diff(o.Text, run(t, Open(t, c.Files), strings.Fields(args))); d != "" {
					t.Errorf("%s (-uftrace +ours):\n%s", strings.Join(o.Args, " "), d)
				}
			}
		})
	}
}

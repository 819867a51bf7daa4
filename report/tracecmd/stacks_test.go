package tracecmd

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// printed returns a report without its first line.
func printed(t *testing.T, opts *Options) string {
	t.Helper()
	var out bytes.Buffer
	job := &report.Job{Job: sources.Job{Warn: func(err error) { t.Error(err) }}, Out: &out}
	if err := Run(t.Context(), opts, job); err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(out.String(), "\n")
	return lines
}

// TestFilteredStacks: a filter keeps the stack after an event that passes, of any kind, and no
// other stack.
func TestFilteredStacks(t *testing.T) {
	for file, names := range map[string][]string{
		"amd64-triggers.dat": {"sched_process_exec", "sched_process_fork", "sched_switch"},
		"i386-userstack.dat": {"sys_enter_openat"},
	} {
		path := filepath.Join(testdata, file)
		all := printed(t, &Options{Reference: true, Inputs: []Input{{Path: path}}})
		for _, name := range names {
			if !strings.Contains(all, " "+name+":") {
				continue
			}
			f, err := filter.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			opts := &Options{Reference: true, Inputs: []Input{{Path: path}},
				Selection: Selection{Filters: []Filter{{Filter: f}}}}
			if d := cmp.Diff(shownWithStacks(all, name), printed(t, opts)); d != "" {
				t.Errorf("%s, -F %s (-want +got):\n%s", file, name, d)
			}
			stack, err := filter.Parse("kernel_stack,user_stack")
			if err != nil {
				t.Fatal(err)
			}
			opts.Filters = append(opts.Filters, Filter{Filter: stack, Negate: true})
			if got := printed(t, opts); strings.Contains(got, "_stack:") {
				t.Errorf("%s, -F %s -v -F kernel_stack,user_stack: stacks are shown", file, name)
			}
		}
	}
}

// shownWithStacks extracts the lines of an event, and of the stacks after it on its CPU, from a
// whole report.
func shownWithStacks(all, name string) string {
	var out strings.Builder
	shown := map[string]bool{}
	keep := false
	for line := range strings.Lines(all) {
		if _, rest, ok := strings.Cut(line, " ["); ok && column.MatchString(line) {
			cpu, _, _ := strings.Cut(rest, "]")
			switch {
			case strings.Contains(line, "_stack:"):
				keep = shown[cpu]
			default:
				shown[cpu] = strings.Contains(line, " "+name+":")
				keep = shown[cpu]
			}
		}
		if keep {
			out.WriteString(line)
		}
	}
	return out.String()
}

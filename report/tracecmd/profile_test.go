package tracecmd

import (
	"bytes"
	"os"
	"os/exec"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
)

// blocks splits a profile into the entries of its tasks. In trace-cmd their order is the order of a
// hash table.
func blocks(text string) []string {
	var list []string
	head := ""
	for line := range strings.Lines(text) {
		switch {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "start (null):"): // trace-cmd's own messages about parsing -H
		case strings.HasPrefix(line, "  Event:"):
			list = append(list, head+line)
		case strings.HasPrefix(line, "   ") && len(list) > 0:
			list[len(list)-1] += line
		default:
			head = line
			list = append(list, head)
		}
	}
	sort.Strings(list)
	return list
}

// kernelStates maps the states of trace-cmd 3.1.6, which are from kernels before 4.14, to the names
// in the print fmt of the recordings' 6.1 kernel: bit 7 is I, the next one R+.
var kernelStates = strings.NewReplacer("sched_switch:K ", "sched_switch:I ", "sched_switch:W ", "sched_switch:R+ ",
	"sched_switch:x ", "sched_switch:P ")

// TestSavedProfile compares with saved output of trace-cmd 3.1.6.
func TestSavedProfile(t *testing.T) {
	for name, opts := range map[string]Profile{"tasks": {}, "global": {GlobalIRQs: true}} {
		want, err := os.ReadFile("testdata/profile-" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(blocks(kernelStates.Replace(string(want))),
			blocks(profileOf(t, "../../testdata/ftrace/amd64-extract.dat", opts))); diff != "" {
			t.Errorf("%s (-trace-cmd +tracec)\n%s", name, diff)
		}
	}
}

func profileOf(t *testing.T, path string, opts Profile) string {
	t.Helper()
	var got bytes.Buffer
	job := &report.Job{Job: sources.Job{Path: path, Warn: func(err error) { t.Log(err) }}, Out: &got}
	if err := Run(t.Context(), &Options{Inputs: []Input{{Path: path}}, Profile: &opts}, job); err != nil {
		t.Fatal(err)
	}
	return got.String()
}

// TestProfile compares with trace-cmd 3.1.6, where that is installed, on recordings with fields
// that it reads correctly.
func TestProfile(t *testing.T) {
	traceCmd := needs.Program(t, "trace-cmd", "apt-get install trace-cmd")
	hook := "timer_start,timer/timer_cancel,timer,g"
	parsed, err := ParseHook(hook)
	if err != nil {
		t.Fatal(err)
	}
	type profiled struct {
		file string
		args []string
		opts Profile
	}
	for _, c := range needs.Some(t, []profiled{
		{"function-graph-sched", nil, Profile{}},
		{"all-events-no-ftrace", nil, Profile{}},
		{"raw-syscalls-sched", nil, Profile{}},
		{"function-func-stack", nil, Profile{}},
		{"extract", nil, Profile{}},
		{"opt-record-tgid", nil, Profile{}},
		{"function-graph-sched", []string{"--by-comm"}, Profile{ByComm: true}},
		{"all-events-no-ftrace", []string{"-G"}, Profile{GlobalIRQs: true}},
		{"all-events-no-ftrace", []string{"-H", hook}, Profile{Hooks: []Hook{parsed}}},
	}, 1) {
		t.Run(c.file+strings.Join(c.args, ""), func(t *testing.T) {
			path := needs.Shared(t, "ftrace/bookworm-6.1-amd64/"+c.file+".dat")
			want, err := exec.Command(traceCmd, append(append([]string{"report", "--profile"}, c.args...), "-i",
				path)...).Output()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(blocks(kernelStates.Replace(string(want))),
				blocks(profileOf(t, path, c.opts))); diff != "" {
				t.Errorf("(-trace-cmd +tracec)\n%s", diff)
			}
		})
	}
}

// TestProfileAllocations: events without stacks do not allocate once every entry has occurred.
func TestProfileAllocations(t *testing.T) {
	for _, file := range []string{"amd64-extract.dat", "amd64-syscalls.dat", "s390x-markers.dat"} {
		for name, opts := range map[string]Profile{"tasks": {}, "global": {GlobalIRQs: true}} {
			p, records := load(t, file, &Options{Profile: &opts})
			pr := newProfile(p, p.inputs[0])
			all := func() {
				pr.open.Finish() // open starts would accumulate
				for i := range records {
					pr.record(&p.sources[records[i].Stream], &records[i])
				}
			}
			all()
			if n := testing.AllocsPerRun(10, all); n > 0 {
				t.Errorf("%s, %s: %v allocations for %d events", file, name, n, len(records))
			}
		}
	}
}

// TestProfileRoom: ended entries free their memory for later ones, in recordings of any length.
func TestProfileRoom(t *testing.T) {
	p, _ := load(t, "amd64-extract.dat", &Options{Profile: &Profile{}})
	pr := newProfile(p, p.inputs[0])
	for i := range 1 << 20 {
		if !pr.room() {
			t.Fatalf("no room after %d pairs that have ended", i)
		}
		pr.entries--
	}
}

package selection

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func catalogOfTwo() *Catalog {
	return &Catalog{
		Recording: "t.dat", Noun: "event",
		Events: []Name{{System: "sched", Name: "sched_switch"}, {System: "irq", Name: "softirq_raise"},
			{System: "k", Name: "open", Separator: "."}},
		CPUs:  []int{3, 0, 1, 1},
		Tasks: []Task{{1, "init"}, {7, "sh"}, {8, "sh"}, {9, ""}, {10, "7"}},
	}
}

func TestCheckEvents(t *testing.T) {
	c := catalogOfTwo()
	for _, x := range []struct{ patterns, want string }{
		{"", ""},
		{"sched_switch irq:*", ""},
		{"k.open k:o* */open", ""},
		{"sched_swich", "-e sched_swich: t.dat has no such event; did you mean sched_switch?"},
		{"irq:softirq_rais,k.opne sched_switch x",
			"-e irq:softirq_rais: t.dat has no such event; did you mean irq:softirq_raise?\n" +
				"tracec: -e k.opne: t.dat has no such event; did you mean k.open?\ntracec: -e x: t.dat has no such event"},
		{"[", `-e [: the bracket is not closed; write \[ for the character`},
	} {
		err := c.CheckEvents("-e", strings.Fields(x.patterns))
		if got := message(t, err); got != x.want {
			t.Errorf("%s: %s", x.patterns, cmp.Diff(x.want, got))
		}
	}
	c.Possible = func(pattern string) bool { return pattern == "later" }
	if err := c.CheckEvents("-e", []string{"later"}); err != nil {
		t.Error(err)
	}
}

func TestCheckCPUs(t *testing.T) {
	c := catalogOfTwo()
	for _, x := range []struct{ list, want string }{
		{"0,1,3", ""},
		{"1-99", "--cpu 1-99: t.dat has CPUs 0-1, 3"},
		{"1-3", ""},
		{"0,2", "--cpu 2: t.dat has CPUs 0-1, 3"},
		{"4-7", "--cpu 4-7: t.dat has CPUs 0-1, 3"},
	} {
		set, err := ParseCPUs(x.list)
		if err != nil {
			t.Fatal(err)
		}
		if got := message(t, c.CheckCPUs(set)); got != x.want {
			t.Errorf("%s: %s", x.list, cmp.Diff(x.want, got))
		}
	}
	c.CPUs = nil
	if err := c.CheckCPUs(CPUSet{{9, 9}}); err != nil {
		t.Errorf("a recording that does not say what processors it has: %v", err)
	}
}

func TestFindTasks(t *testing.T) {
	for _, x := range []struct {
		words         []string
		closed, later bool
		ids           []int32
		names         []string
		wantErr       string
	}{
		{words: nil},
		{words: []string{"sh", "1"}, ids: []int32{1, 7, 8}},
		{words: []string{"7"}, ids: []int32{7, 10}}, // an id, and a name
		{words: []string{"99"}, ids: []int32{99}},
		{words: []string{"99"}, closed: true, wantErr: "--pid 99: t.dat has no such thread; did you mean 9?"},
		{words: []string{"int"}, wantErr: "--pid int: t.dat has no thread of this name; did you mean init?"},
		{words: []string{"later", "sh"}, later: true, ids: []int32{7, 8}, names: []string{"later"}},
	} {
		c := catalogOfTwo()
		c.NoOthers, c.NamesLater = x.closed, x.later
		ids, names, err := c.FindTasks(x.words)
		if got := message(t, err); got != x.wantErr {
			t.Errorf("%q: %s", x.words, cmp.Diff(x.wantErr, got))
		}
		if err == nil && (cmp.Diff(x.ids, ids) != "" || cmp.Diff(x.names, names) != "") {
			t.Errorf("%q: %v %v", x.words, ids, names)
		}
	}
	_, _, err := (&Catalog{Recording: "t.dat"}).FindTasks([]string{"sh"})
	if got := message(t, err); got != "--pid sh: not a number, and t.dat has no names of threads" {
		t.Error(got)
	}
}

// message returns the message of an error that must be a *UsageError.
func message(t *testing.T, err error) string {
	t.Helper()
	var usage *UsageError
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &usage):
		t.Errorf("not a usage error: %v", err)
	}
	return err.Error()
}

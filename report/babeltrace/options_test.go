package babeltrace

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestNames checks that lists are combined as on babeltrace2's command line.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		lists []string
		want  Names
	}{
		{[]string{"all"}, Names{true, true, true, true}},
		{[]string{"header"}, Names{Header: true}},
		{[]string{"ctx", "none"}, Names{Context: true}},
		{[]string{"all", "scope"}, Names{Scope: true}},
		{[]string{"scope", "all"}, Names{true, true, true, true}},
		{[]string{"all,scope", "none"}, Names{Scope: true}},
		{[]string{"scope", "header, args"}, Names{Payload: true, Scope: true, Header: true}},
	} {
		var n Names
		if err := n.SetNames(c.lists...); err != nil || n != c.want {
			t.Errorf("%q: %+v, %v", c.lists, n, err)
		}
	}
	for _, list := range []string{"payload,headers", "all,none"} {
		if err := new(Names).SetNames(list); err == nil {
			t.Errorf("%s is no error", list)
		}
	}
	var f Fields
	if err := f.SetFields("all", "trace", "emf"); err != nil || f != (Fields{Trace: true, EMF: true}) {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestParams(t *testing.T) {
	list, err := ParseParams(`no-delta=yes, name-default=hide,path="a, \"b\"",name-scope=true`)
	want := []Param{{"no-delta", "yes"}, {"name-default", "hide"}, {"path", `a, "b"`}, {"name-scope", "true"}}
	if d := cmp.Diff(want, list); d != "" || err != nil {
		t.Error(d, err)
	}
	o := Default()
	if err := o.SetParams([]Param{{"no-delta", "yes"}, {"name-scope", "yes"},
		{"name-default", "hide"}}); err != nil || !o.Times.NoDelta || o.Names != (Names{Scope: true}) {
		t.Errorf("%+v, %v", o, err)
	}
	for _, p := range []Param{{"no-delta", "perhaps"}, {"name-header", "show"}, {"colour", "yes"},
		{"field-default", "yes"}} {
		if err := o.SetParams([]Param{p}); err == nil {
			t.Errorf("%v is no error", p)
		}
	}
	for _, text := range []string{"a", "=b", `a="b`, `a="b"c=d`} {
		if _, err := ParseParams(text); err == nil {
			t.Errorf("%s is no error", text)
		}
	}
}

// TestMoment parses the forms of --begin.
func TestMoment(t *testing.T) {
	zone := time.FixedZone("", 3600)
	first := time.Date(2026, 11, 27, 22, 0, 0, 0, zone).UnixNano()
	for text, want := range map[string]int64{
		"12.5": 12_500_000_000, "-3": -3_000_000_000, "1795738170.302147457": 1795738170302147457,
		"2026-11-27 01:02":             time.Date(2026, 11, 27, 1, 2, 0, 0, zone).UnixNano(),
		"2026-11-27 01:02:03.00000001": time.Date(2026, 11, 27, 1, 2, 3, 10, zone).UnixNano(),
		"01:02:03.5":                   time.Date(2026, 11, 27, 1, 2, 3, 500_000_000, zone).UnixNano(),
	} {
		m, err := ParseMoment(text, zone)
		if got := m.at(first, zone); err != nil || got != want {
			t.Errorf("%s: %d, not %d, %v", text, got, want, err)
		}
	}
	for _, text := range []string{"", "1:2", "25:00", "2026-11-27T01:02", "2026-13-01 01:02", "1.1234567890", "foo",
		"99999999999"} {
		if m, err := ParseMoment(text, zone); err == nil {
			t.Errorf("%q is %v", text, m)
		}
	}
	for _, text := range []string{"[a,b]", "a,b"} {
		if begin, end, err := SplitRange(text); begin != "a" || end != "b" || err != nil {
			t.Errorf("%s: %s, %s, %v", text, begin, end, err)
		}
	}
}

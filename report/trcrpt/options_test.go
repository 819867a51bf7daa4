package trcrpt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/runtime/aix"
)

func TestParseHooks(t *testing.T) {
	set, err := trcfiles.ParseHooks(nil, "010,1f0 F5F1\t0100")
	if diff := cmp.Diff(trcfiles.HookSet{0x0100: true, 0x1F00: true, 0xF5F1: true}, set); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if set, err = trcfiles.ParseHooks(set, "0A"); len(set) != 19 || !set[0x0A00] || !set[0x0AF0] || err != nil {
		t.Error(set, err)
	}
	for _, bad := range []string{"", " ,", "1", "12345", "10G", "-10", "0x1"} {
		if _, err := trcfiles.ParseHooks(nil, bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	for id, want := range map[uint16]string{0x0100: "010", 0xF5F1: "F5F1", 0: "000", 0xF5F0: "F5F", 0x1000: "100"} {
		if got := aix.HookName(id); got != want {
			t.Errorf("%#x: %s", id, got)
		}
	}
}

func TestSet(t *testing.T) {
	o := Options{}
	err := o.Set("2line=on, exec=1,ids=off,pagesize=500,timestamp=2,starttime=1.5,endtime=.25,PURR=on," +
		"pid=on,pid=off,component=off")
	want := Options{Settings: Settings{TwoLine: true, Exec: true, NoIDs: true, PageSize: 500, Timestamp: 2, PURR: true}}
	since, until := int64(1_500_000_000), int64(250_000_000)
	want.Since, want.Until = &since, &until
	if diff := cmp.Diff(want, o, cmp.AllowUnexported(Options{})); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, bad := range []string{"", "exec", "pagesize=-1", "pagesize=x", "starttime=", "starttime=.", "starttime=-1",
		"starttime=99999999999", "endtime=1.x", "ids=2", "wparname=on"} {
		if err := (&Options{}).Set(bad); err == nil {
			t.Errorf("-O %q is taken", bad)
		}
	}
}

func TestGroups(t *testing.T) {
	groups, err := ParseGroups("g", strings.NewReader("SWservAt:\n attribute = (b)_trcgrp\n value=010,020\n"+
		"SWservAt:\nattribute=\"a_trcgrpdesc\"\nvalue=\"first\"\n"))
	want := []Group{{Name: "a", Description: "first"}, {Name: "b", Hooks: "010,020"}}
	if diff := cmp.Diff(want, groups); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if set, err := AddGroups(trcfiles.HookSet{1: true}, groups, "b"); len(set) != 3 || err != nil {
		t.Error(set, err)
	}
	for _, bad := range []string{"a", "c", "", "b,c"} {
		if _, err := AddGroups(nil, groups, bad); err == nil {
			t.Errorf("group %q is taken", bad)
		}
	}
	for _, bad := range []string{"value = \"1\"", "SWservAt:\nhello", "SWservAt:\nattribute=x_trcgrp\nvalue=12345"} {
		if _, err := ParseGroups("g", strings.NewReader(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestParseLayouts(t *testing.T) {
	list, err := trcfiles.ParseLayouts("l", strings.NewReader("# c\n\n106 * dispatch pid=1 tid=2.4:4\n00A 1F info process=2:8\n"))
	want := []aix.Layout{
		{ID: 0x1060, Sub: -1, Role: aix.RoleDispatch, Places: []aix.Place{
			{Fact: aix.FactPID, Word: 1}, {Fact: aix.FactTID, Word: 2, Byte: 4, Size: 4},
		}},
		{ID: 0x00A0, Sub: 0x1F, Role: aix.RoleInfo, Places: []aix.Place{{Fact: aix.FactProcess, Word: 2, Size: 8}}},
	}
	if diff := cmp.Diff(want, list); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// Hostile arguments give errors, never a panic or a report of nonsense.
func FuzzArguments(f *testing.F) {
	f.Add("010,F5F1", "exec=on,pagesize=3", "SWservAt:\nattribute=(a)_trcgrp\nvalue=\"010\"\n", "106 * dispatch pid=1")
	f.Fuzz(func(t *testing.T, hooks, opts, groups, layouts string) {
		if set, err := trcfiles.ParseHooks(nil, hooks); (err == nil) != (len(set) > 0) {
			t.Errorf("%q: %v, %v", hooks, set, err)
		}
		o := Options{}
		if o.Set(opts) == nil && (o.PageSize < 0 || o.PageSize > maxPage || o.Timestamp < 0 || o.Timestamp > timeNone) {
			t.Errorf("%q: %+v", opts, o)
		}
		if list, err := ParseGroups("g", strings.NewReader(groups)); err == nil {
			for _, g := range list {
				if _, err := AddGroups(nil, list, g.Name); err != nil && g.Hooks != "" &&
					!strings.ContainsAny(g.Name, ", ") {
					t.Error(err)
				}
			}
		}
		if list, err := trcfiles.ParseLayouts("l", strings.NewReader(layouts)); err == nil {
			aix.NewLayouts(list...)
		}
	})
}

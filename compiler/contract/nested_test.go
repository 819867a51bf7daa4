package contract_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/runtime/bind"
)

// TestNestedChanges: a change inside a structure, a list or a variant is a change of the member.
func TestNestedChanges(t *testing.T) {
	side := func(fields ...bind.Field) *contract.Side {
		e := contract.Event{Layout: bind.Event{Group: "g", Name: "e", Sequential: true, Fields: fields}}
		return &contract.Side{Events: []contract.Event{e}, Recorded: bind.Sources([]bind.Event{e.Layout})}
	}
	group := func(kind bind.Kind, name string, members ...bind.Field) bind.Field {
		return bind.Field{Name: name, Kind: kind, Fields: members}
	}
	list := func(name string, element bind.Field) bind.Field {
		return bind.Field{Name: name, Kind: bind.List, Size: 2, Fields: []bind.Field{element}}
	}
	x, y, wide := bind.Field{Name: "x", Size: 4}, bind.Field{Name: "y", Size: 4},
		bind.Field{Name: "x", Size: 8, Signed: true}
	bits := bind.Field{Name: "y", Size: 4, Bits: bind.BitField{Count: 3, At: 1}}
	a, b := bind.Field{Name: "a", Size: 4, When: []bind.Range{{Low: 1, High: 1}}},
		bind.Field{Name: "a", Size: 4, When: []bind.Range{{Low: 1, High: 2}}}
	for _, c := range []struct {
		old, new bind.Field
		want     string
	}{
		{group(bind.Struct, "s", x), group(bind.Struct, "s", wide), "s.x: bytes 8, was 4\ns.x: signed, was unsigned\n"},
		{group(bind.Struct, "s", x, y), group(bind.Struct, "s", y, x), "s.x: at 2, was 1\ns.y: at 1, was 2\n"},
		{group(bind.Struct, "s", x), group(bind.Struct, "s", x, y), "s.y: added unsigned, 4 bytes\n"},
		{group(bind.Struct, "s", x, y), group(bind.Struct, "s", x), "s.y: removed unsigned, 4 bytes\n"},
		{list("l", group(bind.Struct, "", x)), list("l", group(bind.Struct, "", wide)),
			"l.x: bytes 8, was 4\nl.x: signed, was unsigned\n"},
		{list("l", bind.Field{Size: 4}), list("l", bind.Field{Size: 8}), "l[]: bytes 8, was 4\n"},
		{group(bind.Struct, "s", x, y), group(bind.Struct, "s", x, bits),
			"s.y: type unsigned, 4 bytes, 3 bits from bit 1 on, was unsigned, 4 bytes\n"},
		{group(bind.Variant, "v", a), group(bind.Variant, "v", b),
			"v.a: type unsigned, 4 bytes, selected by 1 to 2, was unsigned, 4 bytes, selected by 1\n"},
	} {
		d := contract.Compare(side(c.old), side(c.new), contract.Options{})
		var have strings.Builder
		for _, r := range d.Results {
			for _, change := range r.Changes {
				have.WriteString(change.String() + "\n")
			}
		}
		if diff := cmp.Diff(c.want, have.String()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// TestNestedFormats: text, JSON and findings, from which SARIF is made, name a member by one path.
// The error of Bind has the same path.
func TestNestedFormats(t *testing.T) {
	side := func(name string, size int) *contract.Side {
		x := bind.Field{Name: "x", Size: size}
		list := bind.Field{Name: "l", Kind: bind.List, Size: 2,
			Fields: []bind.Field{{Kind: bind.Struct, Fields: []bind.Field{x}}}}
		s := bind.Field{Name: "s", Kind: bind.Struct, Fields: []bind.Field{list}}
		e := contract.Event{Layout: bind.Event{Group: "g", Name: "e", Sequential: true, Fields: []bind.Field{s}}}
		return &contract.Side{Name: name, Events: []contract.Event{e}, Recorded: bind.Sources([]bind.Event{e.Layout})}
	}
	const path, change = "s.l.x", "s.l.x: bytes 8, was 4"
	d := contract.Compare(side("old", 4), side("new", 8), contract.Options{})
	var text strings.Builder
	if err := d.WriteText(&text, contract.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "\t"+change+"\n") ||
		!strings.Contains(text.String(), "Bind: field \""+path+"\"") {
		t.Errorf("text:\n%s", text.String())
	}
	e := d.Document().Events[0]
	if len(e.Changes) != 1 || e.Changes[0].Field != path || !strings.Contains(e.Error, path) {
		t.Errorf("JSON: %+v", e)
	}
	list := d.Findings()
	if len(list) != 1 || !strings.Contains(list[0].Msg, change) || strings.Count(list[0].Msg, path) != 2 {
		t.Errorf("findings: %v", list)
	}
}

package bind

import (
	"testing"
)

// A skipped field may be missing in the recording, or may have changed. Records are then relocated,
// with zeros in the place of the field.
func TestSkip(t *testing.T) {
	want := &Event{Name: "e", Sequential: true, Fields: []Field{
		{Name: "a", Size: 4, Skip: true}, {Name: "s", Kind: Terminated, PadAfter: 4, Skip: true},
		{Name: "c", Kind: Counted, Size: 2, Align: 4, Skip: true},
		{Name: "b", Size: 4, Align: 4, Signed: true}, {Name: "last", Size: 8, Skip: true},
	}}
	same := *want
	same.Fields = append([]Field{}, want.Fields...)
	same.Fields[0].Name = "other" // the same size: the field is skipped anyway
	if p, err := newPayloadPlan(want, &same, false); p != nil || err != nil {
		t.Errorf("a payload of the same layout is moved: %v, %v", p, err)
	}
	have := &Event{Name: "e", Sequential: true, BigEndian: true,
		Fields: []Field{{Name: "s", Size: 8}, {Name: "b", Size: 2, Signed: true}}}
	p, err := newPayloadPlan(want, have, false)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := p.relocate(new(scratch), []byte{1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xfe})
	wanted := []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0}
	if !ok || string(got) != string(wanted) {
		t.Errorf("got %x, %v\nwant %x", got, ok, wanted)
	}
	if _, err := newPayloadPlan(want, &Event{Name: "e", Sequential: true, Fields: []Field{{Name: "a", Size: 4}}},
		false); err == nil {
		t.Error("a recording without what is used is no error")
	}
	nothing := &Event{Name: "e", Sequential: true, Fields: []Field{{Name: "a", Size: 4, Skip: true}}}
	if p, err := newPayloadPlan(nothing, have, false); err != nil {
		t.Error(err)
	} else if got, ok := p.relocate(new(scratch), nil); !ok || len(got) != 4 {
		t.Errorf("got %x, %v", got, ok)
	}
}

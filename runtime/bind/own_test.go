package bind

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/tracec/tracec/runtime/record"
)

// What is skipped need not be in the recording, nor be what it was; records are then moved, with
// nothing in its place.
func TestSkip(t *testing.T) {
	want := &Event{Name: "e", Sequential: true, Fields: []Field{
		{Name: "a", Size: 4, Skip: true}, {Name: "s", Kind: Terminated, PadAfter: 4, Skip: true}, {Name: "c", Kind: Counted, Size: 2, Align: 4, Skip: true},
		{Name: "b", Size: 4, Align: 4, Signed: true}, {Name: "last", Size: 8, Skip: true},
	}}
	same := *want
	same.Fields = append([]Field{}, want.Fields...)
	same.Fields[0].Name = "other" // of the same size: it is passed all the same
	if p, err := newPayloadPlan(want, &same, false); p != nil || err != nil {
		t.Errorf("a payload of the same layout is moved: %v, %v", p, err)
	}
	have := &Event{Name: "e", Sequential: true, BigEndian: true, Fields: []Field{{Name: "s", Size: 8}, {Name: "b", Size: 2, Signed: true}}}
	p, err := newPayloadPlan(want, have, false)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := p.relocate(new(scratch), []byte{1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xfe})
	wanted := []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0}
	if !ok || string(got) != string(wanted) {
		t.Errorf("got %x, %v\nwant %x", got, ok, wanted)
	}
	if _, err := newPayloadPlan(want, &Event{Name: "e", Sequential: true, Fields: []Field{{Name: "a", Size: 4}}}, false); err == nil {
		t.Error("a recording without what is used is no error")
	}
	nothing := &Event{Name: "e", Sequential: true, Fields: []Field{{Name: "a", Size: 4, Skip: true}}}
	if p, err := newPayloadPlan(nothing, have, false); err != nil {
		t.Error(err)
	} else if got, ok := p.relocate(new(scratch), nil); !ok || len(got) != 4 {
		t.Errorf("got %x, %v", got, ok)
	}
}

// wideEvent is an event of a machine of 32 bits with fields that hold more.
var wideEvent = Event{Group: "g", Name: "e", Size: 24, Struct: 24, Fields: []Field{
	{Name: "long", Offset: 8, Size: 4, Signed: true}, {Name: "word", Offset: 12, Size: 4}, {Name: "kept", Offset: 16, Size: 4},
	{Name: "stack", Offset: 20, Size: 4, Kind: Dynamic, Elem: 4},
}, Wide: &Event{Group: "g", Name: "e", Size: 24, Struct: 24, Fields: []Field{
	{Name: "long", Size: 8, Signed: true}, {Name: "word", Offset: 8, Size: 8}, {Name: "kept", Offset: 16, Size: 4},
	{Name: "stack", Offset: 20, Size: 4, Kind: Dynamic, Elem: 8},
}}}

// Records with wider numbers go to the wide layout, in a slot of its own; others to the compiled
// one as ever. What the wide layout does not hold is an error, or cut by leave.
func TestWide(t *testing.T) {
	big := func(sizes ...int) Event { // the fields in this order, with the bytes that they have
		have := Event{Group: "g", Name: "e", BigEndian: true}
		for i, f := range wideEvent.Fields {
			f.Offset, f.Size = have.Size, sizes[i]
			if f.Kind == Dynamic {
				f.Size, f.Elem = 4, sizes[i]
			}
			have.Size += f.Size
			have.Fields = append(have.Fields, f)
		}
		return have
	}
	const minus, plus = "fffffffe", "f0000001"
	swap := func(s string) (out string) { // the words as this machine has them
		for i := 0; i < len(s); i += 2 {
			if hostBig {
				out += s[i : i+2]
			} else {
				out = s[i:i+2] + out
			}
		}
		return out
	}
	for _, x := range []struct {
		have   Event
		data   string
		narrow bool
		want   string
		err    error
	}{
		{big(4, 4, 4, 4), minus + plus + minus + "00040010" + plus, false,
			"0:" + strings.Repeat("00", 8) + swap(minus) + swap(plus) + swap(minus) + swap("00040018") + swap(plus), nil},
		{big(8, 4, 4, 4), "ffffffff" + minus + plus + minus + "00080014" + plus + minus, false,
			"2:" + swap("ffffffff"+minus) + swap("00000000"+plus) + swap(minus) + swap("00100018") + swap("00000000"+plus) + swap("00000000"+minus), nil},
		{big(4, 8, 4, 8), minus + plus + minus + minus + "00080014" + plus + minus, false,
			"2:" + swap("ffffffff"+minus) + swap(plus+minus) + swap(minus) + swap("00080018") + swap(plus+minus), nil},
		{big(8, 4, 8, 4), "", false, "", ErrNarrow},
		{big(4, 4, 8, 4), minus + plus + "00000001" + minus + "00000000", true,
			"2:" + swap("ffffffff"+minus) + swap("00000000"+plus) + swap(minus) + swap("00000000"), nil},
	} {
		p := part("", 0, wideEvent, Event{Name: "other", Fields: []Field{{Name: "x", Size: 4}}})
		opts := []Option{&p.Events[0]}
		if x.narrow {
			opts = append(opts, Narrow())
		}
		d, err := Bind(Container[none]{Source: Sources([]Event{x.have})}, []Package[none]{p}, opts...)
		if !errors.Is(err, x.err) {
			t.Errorf("%v, want %v", err, x.err)
		}
		if fits := Fits(&wideEvent, &x.have, x.narrow); !errors.Is(fits, x.err) {
			t.Errorf("Fits: %v, want %v", fits, x.err)
		}
		for _, f := range FitFields(&wideEvent, &x.have, x.narrow) {
			if is := errors.Is(f.Err, ErrNarrow); is != (x.err != nil && f.Field.Name == "kept") || !is && f.Err != nil {
				t.Errorf("%s: %v", f.Field.Name, f.Err)
			}
		}
		if err != nil {
			continue
		}
		data, err := hex.DecodeString(x.data)
		if err != nil {
			t.Fatal(err)
		}
		if got := slotOf(d, record.Record{Data: data}); got != x.want {
			t.Errorf("got %s, want %s", got, x.want)
		}
	}
}

// The same for events that are read from front to back, whose wide layout has other fields in
// another order.
func TestWideSequential(t *testing.T) {
	want := Event{Name: "e", Sequential: true, Fields: []Field{
		{Name: "s", Kind: Terminated, PadAfter: 4}, {Name: "pass", Size: 4, Align: 4, Skip: true}, {Name: "n", Size: 4, Align: 4, Signed: true}, {Name: "f", Kind: Float, Size: 4},
	}, Wide: &Event{Name: "e", Sequential: true, Fields: []Field{{Name: "n", Size: 8, Signed: true}, {Name: "f", Kind: Float, Size: 8}, {Name: "s", Kind: Counted, Size: 4}}}}
	have := Event{Name: "e", Sequential: true, Fields: []Field{{Name: "n", Size: 8, Signed: true}, {Name: "f", Kind: Float, Size: 8}, {Name: "s", Kind: Counted, Size: 4}}}
	p, wide, err := newPlan(&want, &have, false)
	if err != nil || !wide || p == nil { // though it is laid out as the wide layout is
		t.Fatal(p, wide, err)
	}
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 2, 0, 0, 0, 'h', 'i'}
	if got, ok := p.relocate(new(scratch), data); !ok || string(got) != string(data) {
		t.Errorf("%x, %v", got, ok)
	}
	have.Fields[0].Size, have.Fields[1].Size = 2, 4
	if p, wide, err := newPlan(&want, &have, false); err != nil || wide || p == nil {
		t.Error(p, wide, err)
	}
	if p, wide, err := newPlan(&want, &want, false); err != nil || wide || p != nil {
		t.Error(p, wide, err)
	}
	have.Fields[2].Name = "other"
	if _, _, err := newPlan(&want, &have, true); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
}

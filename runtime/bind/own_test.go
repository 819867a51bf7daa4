package bind

import (
	"fmt"
	"math"
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for _, x := range []struct {
		got, want time.Duration
	}{
		{Duration(int32(-3), time.Microsecond), -3 * time.Microsecond},
		{Duration(uint8(255), time.Second), 255 * time.Second},
		{Duration(uint64(math.MaxInt64), time.Nanosecond), math.MaxInt64},
		{Duration(uint64(math.MaxInt64)+1, time.Nanosecond), math.MaxInt64},
		{Duration(uint64(math.MaxUint64), time.Second), math.MaxInt64},
		{Duration(int64(math.MinInt64), time.Nanosecond), math.MinInt64},
		{Duration(int64(math.MinInt64), time.Second), math.MinInt64},
		{Duration(int64(math.MaxInt64/1000), time.Microsecond), math.MaxInt64 / 1000 * time.Microsecond},
		{Duration(int64(math.MaxInt64/1000+1), time.Microsecond), math.MaxInt64},
		{Duration(int64(math.MinInt64/1000), time.Microsecond), math.MinInt64 / 1000 * time.Microsecond},
		{Duration(int64(math.MinInt64/1000-1), time.Microsecond), math.MinInt64},
	} {
		if x.got != x.want {
			t.Errorf("got %d, want %d", x.got, x.want)
		}
	}
}

// Strings are those of the bytes at the time, and made once as long as few are in use.
func TestStrings(t *testing.T) {
	var s Strings
	b := []byte("first")
	first := s.Of(b)
	copy(b, "other")
	if second := s.Of(b); first != "first" || second != "other" || s.Of(nil) != "" {
		t.Errorf("%q, then %q", first, second)
	}
	long := make([]byte, 1000)
	if got := s.Of(long); got != string(long) {
		t.Errorf("%d bytes of %d", len(got), len(long))
	}
	for i := range 10_000 { // more than are remembered
		if want := fmt.Sprint(i % 3000); s.Of([]byte(want)) != want {
			t.Fatal(want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { s.Of(b) }); n != 0 {
		t.Errorf("%v allocations for a text that comes again", n)
	}
}

// What is skipped need not be in the recording, nor be what it was; records are then moved, with nothing in its place.
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

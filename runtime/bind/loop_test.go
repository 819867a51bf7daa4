package bind

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// listener is a Decoder of four events as generated code has it: with values and entries, with either, and with neither.
type listener struct {
	Both   func(*record.Record, *string, *int) error
	Values func(*record.Record, *int) error
	Entry  func(*record.Record, *string) error
	Bare   func(*record.Record) error
}

var errBroken = errors.New("broken")

// run calls the callbacks that are set for three records each.
func (d *listener) run() (Stats, error) {
	for i := range 3 {
		r, x := &record.Record{Time: uint64(i)}, fmt.Sprint("entry ", i)
		calls := []func() error{
			func() error { v := 10 + i; return d.Both(r, &x, &v) },
			func() error { v := 20 + i; return d.Values(r, &v) },
			func() error { return d.Entry(r, &x) },
			func() error { return d.Bare(r) },
		}
		for k, set := range []bool{d.Both != nil, d.Values != nil, d.Entry != nil, d.Bare != nil} {
			if set && errors.Is(calls[k](), record.ErrStop) {
				return Stats{Short: 7}, nil
			}
		}
	}
	return Stats{Short: 9}, errBroken
}

// Loops without a Walk read everything.
func TestLoopWithoutWalk(t *testing.T) {
	n := 0
	d := &listener{}
	for range LoopEntry(nil, &d.Both, Run{Do: d.run}) {
		n++
	}
	d = &listener{}
	for range LoopRecord(nil, &d.Entry, Run{Do: d.run}) {
		n++
	}
	plain := &struct {
		Values func(*record.Record, *int) error
		Bare   func(*record.Record) error
	}{}
	run := Run{Do: func() (Stats, error) {
		if plain.Values != nil {
			return Stats{}, plain.Values(&record.Record{}, &n)
		}
		return Stats{}, plain.Bare(&record.Record{})
	}}
	for range Loop[record.None](nil, &plain.Values, run) {
		n++
	}
	plain.Values = nil
	for range LoopBare(nil, &plain.Bare, run) {
		n++
	}
	if n != 8 {
		t.Error(n)
	}
}

func TestLoop(t *testing.T) {
	d, w := &listener{}, &Walk[string]{}
	var got []string
	for r, v := range LoopEntry(w, &d.Both, Run{Do: d.run}) {
		got = append(got, fmt.Sprint(r.Time, *v, *w.Entry()))
	}
	if diff := cmp.Diff([]string{"0 10entry 0", "1 11entry 1", "2 12entry 2"}, got); diff != "" {
		t.Error(diff)
	}
	if w.Err() != errBroken || w.Stats().Short != 9 || w.Entry() != nil {
		t.Error(w.Err(), w.Stats(), w.Entry())
	}
	d = &listener{}
	sum, values := 0, Loop(w, &d.Values, Run{Do: d.run})
	for range 2 { // each loop begins anew
		for _, v := range values {
			if sum += *v; *v == 21 {
				break
			}
		}
	}
	if sum != 2*(20+21) || w.Err() != nil || w.Stats().Short != 7 {
		t.Error(sum, w.Err(), w.Stats())
	}
	d = &listener{}
	n := 0
	for _, x := range LoopRecord(w, &d.Entry, Run{Do: d.run}) {
		if *x != *w.Entry() || *x != fmt.Sprint("entry ", n) {
			t.Error(*x)
		}
		n++
	}
	d = &listener{}
	for range LoopBare(&Walk[record.None]{}, &d.Bare, Run{Do: d.run}) {
		n++
	}
	if n != 6 {
		t.Error(n, "events")
	}
}

// union is a union as generated code has it.
type union struct {
	Kind  uint32
	Both  *int
	Value *int
	Entry *string
	Bare  *record.None
}

func (u *union) String() string {
	s := fmt.Sprint(u.Kind)
	if u.Both != nil {
		s += fmt.Sprint(" both ", *u.Both)
	}
	if u.Value != nil {
		s += fmt.Sprint(" value ", *u.Value)
	}
	if u.Entry != nil {
		s += " " + *u.Entry
	}
	if u.Bare != nil {
		s += " bare"
	}
	return s
}

func TestSeries(t *testing.T) {
	want := []string{"1 both 10", "2 value 20", "3 entry 0", "4 bare", "1 both 11", "2 value 21"}
	w := &Walk[string]{}
	for name, kinds := range map[string][]uint32{"all": nil, "each": {4, 2, 1, 3}, "some": {1, 2}} {
		d, s := &listener{}, NewSeries[string, union](w)
		Listen(s, d, kinds)
		want := want
		if name == "some" {
			want = []string{"1 both 10", "2 value 20", "1 both 11", "2 value 21"}
		}
		var got []string
		for _, u := range s.All(Run{Do: d.run}) {
			if got = append(got, u.String()); u.Both != nil && *w.Entry() != fmt.Sprint("entry ", *u.Both-10) {
				t.Error(*w.Entry())
			}
			if len(got) == len(want) {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || w.Err() != nil {
			t.Errorf("%s: %v %s", name, w.Err(), diff)
		}
	}
	for _, kinds := range [][]uint32{{0}, {5}, {1<<32 - 1}} {
		d, s := &listener{}, NewSeries[string, union](w)
		Listen(s, d, kinds)
		for range s.All(Run{Do: d.run}) {
			t.Error("an event")
		}
		if w.Err() == nil {
			t.Error(kinds, "is no error")
		}
	}
}

// TestMember: a union of one package as a member of one of several.
func TestMember(t *testing.T) {
	type root struct{ Other, Member *union }
	d, w := &listener{}, &Walk[string]{}
	all := NewSeries[string, root](w)
	Listen(Member(all, &all.Union().Member), d, []uint32{1, 3})
	var got []string
	for _, u := range all.All(Run{Do: d.run}) {
		got = append(got, u.Member.String())
	}
	if diff := cmp.Diff([]string{"1 both 10", "3 entry 0", "1 both 11", "3 entry 1", "1 both 12", "3 entry 2"}, got); diff != "" || w.Err() != errBroken || all.Union().Member != nil {
		t.Error(w.Err(), diff)
	}
}

func TestSeriesAllocates(t *testing.T) {
	d, s := &listener{}, NewSeries[string, union](&Walk[string]{})
	Listen[string, union, uint32](s, d, nil)
	var r record.Record
	n, x := 0, ""
	for range s.All(Run{Do: func() (Stats, error) {
		if allocs := testing.AllocsPerRun(1000, func() { d.Values(&r, &n); d.Both(&r, &x, &n); d.Entry(&r, &x); d.Bare(&r) }); allocs > 0 {
			t.Errorf("%g allocations for an event", allocs)
		}
		return Stats{}, nil
	}}) {
		n++
	}
}

// running returns what runs a new listener.
func running() (*listener, Run) {
	d := &listener{}
	return d, Run{Decoder: d, Do: d.run, Another: func() Run { _, r := running(); return r }}
}

// TestLoopWithin: a loop within a loop over the same iterator has a Decoder of its own, whose event is another one.
func TestLoopWithin(t *testing.T) {
	w := &Walk[string]{}
	d, run := running()
	var got []string
	values := LoopEntry(w, &d.Both, run)
	for _, outer := range values {
		for _, inner := range values {
			got = append(got, fmt.Sprint(*outer, *inner, " ", *w.Entry()))
			if *inner == 11 {
				break
			}
		}
		got = append(got, *w.Entry())
	}
	want := []string{"10 10 entry 0", "10 11 entry 1", "entry 0", "11 10 entry 0", "11 11 entry 1", "entry 1", "12 10 entry 0", "12 11 entry 1", "entry 2"}
	if diff := cmp.Diff(want, got); diff != "" || w.Err() != errBroken || w.Entry() != nil {
		t.Error(w.Err(), diff)
	}
	n := 0
	d, run = running()
	bare := LoopBare(&Walk[record.None]{}, &d.Bare, run)
	for range bare {
		for range bare {
			for range bare {
				n++
			}
		}
	}
	for range bare { // and the first Decoder is free again
		n++
	}
	if n != 27+3 {
		t.Error(n, "turns")
	}
}

// TestWalkWithin: the error of a loop is that of the loops in it if it has none itself.
func TestWalkWithin(t *testing.T) {
	var w Walk[string]
	fail := func(err error, within ...func()) func() {
		return func() {
			w.through(func() (Stats, error) {
				for _, f := range within {
					f()
				}
				return Stats{}, err
			})
		}
	}
	other := errors.New("other")
	for _, x := range []struct {
		loop func()
		want error
	}{
		{fail(nil, fail(nil), fail(errBroken), fail(other), fail(nil)), errBroken},
		{fail(other, fail(errBroken)), other},
		{fail(nil, fail(nil, fail(other))), other},
		{fail(nil, fail(nil)), nil},
	} {
		if x.loop(); w.Err() != x.want {
			t.Errorf("got %v, want %v", w.Err(), x.want)
		}
	}
}

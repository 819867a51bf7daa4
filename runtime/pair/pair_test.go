package pair

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// model is a simple Table that does not use times: a list of open begins, the oldest first.
type model struct {
	limit          int
	nested, perCPU bool
	across         bool
	open           []item
	log            []string
}

type item struct {
	key int
	b   Begun[int]
}

func (m *model) giveUp(i int, why Reason) {
	m.log = append(m.log, fmt.Sprint(m.open[i].key, m.open[i].b, why))
	m.open = slices.Delete(m.open, i, i+1)
}

func (m *model) last(key int) int {
	for i := len(m.open) - 1; i >= 0; i-- {
		if m.open[i].key == key {
			return i
		}
	}
	return -1
}

func (m *model) lost(r *record.Record) {
	for i := 0; r.Lost != 0 && !m.across && i < len(m.open); {
		if m.perCPU && m.open[i].b.CPU != r.CPU {
			i++
			continue
		}
		m.giveUp(i, Lost)
	}
}

func (m *model) begin(key int, r *record.Record, v int) {
	m.lost(r)
	if i := m.last(key); i >= 0 && !m.nested {
		m.giveUp(i, Replaced)
	}
	if len(m.open) == m.limit {
		m.giveUp(0, Evicted)
	}
	m.open = append(m.open, item{key: key, b: Begun[int]{r.Time, r.CPU, v}})
}

func (m *model) peek(key int, r *record.Record) *Begun[int] {
	m.lost(r)
	if i := m.last(key); i >= 0 {
		return &m.open[i].b
	}
	return nil
}

// at finds a begin by its value. Values are distinct.
func (m *model) at(v int) *Begun[int] {
	for i := range m.open {
		if m.open[i].b.Value == v {
			return &m.open[i].b
		}
	}
	return nil
}

func same(a, b *Begun[int]) bool { return a == b || a != nil && b != nil && *a == *b }

func (m *model) end(key int, r *record.Record) (Begun[int], bool) {
	m.lost(r)
	i := m.last(key)
	if i < 0 {
		return Begun[int]{}, false
	}
	b := m.open[i].b
	m.open = slices.Delete(m.open, i, i+1)
	return b, true
}

func TestTable(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for run := range 200 {
		m := model{limit: 1 + random.IntN(8), nested: run%2 == 0, perCPU: run%3 == 0, across: run%7 == 0}
		var log []string
		table := Table[int, int]{Limit: m.limit, Nested: m.nested, PerCPU: m.perCPU, AcrossLost: m.across,
			Unpaired: func(key int, b Begun[int], why Reason) {
				log = append(log, fmt.Sprint(key, b, why))
			}}
		unbegun := uint64(0)
		refs := []Ref{{}}
		values := []int{-1} // of refs
		for i := range 500 {
			r := &record.Record{Time: uint64(i), CPU: random.Int32N(3)}
			if random.IntN(20) == 0 {
				r.Lost = record.LostUnknown
			}
			key := random.IntN(6)
			if random.IntN(2) == 0 {
				refs, values = append(refs, table.Begin(key, r, i)), append(values, i)
				m.begin(key, r, i)
				continue
			}
			if want, b := m.peek(key, r), table.Last(key, r); !same(want, b) {
				t.Fatal(want, b)
			}
			for j, ref := range refs {
				if want, b := m.at(values[j]), table.At(ref); !same(want, b) {
					t.Fatal(want, b)
				}
			}
			b, ok := table.End(key, r)
			want, found := m.end(key, r)
			if b != want || ok != found {
				t.Fatal(b, ok, want, found)
			}
			if !found {
				unbegun++
			}
			if table.Len() != len(m.open) {
				t.Fatal(table.Len(), len(m.open))
			}
		}
		table.Finish()
		for len(m.open) > 0 {
			m.giveUp(0, Unended)
		}
		if d := cmp.Diff(m.log, log); d != "" {
			t.Fatal(d)
		}
		counted := uint64(0)
		for why := range Unbegun {
			counted += table.Count(why)
		}
		if counted != uint64(len(log)) || table.Count(Unbegun) != unbegun || table.Len() != 0 {
			t.Fatal(counted, len(log), table.Count(Unbegun), unbegun)
		}
	}
}

// TestOneLoss checks that a record that both ends and begins a pair gives up older begins, not its
// own.
func TestOneLoss(t *testing.T) {
	var table Table[string, int]
	table.Begin("old", &record.Record{Time: 1}, 0)
	r := &record.Record{Time: 2, Lost: 3}
	table.Begin("a", r, 0)
	table.Begin("b", r, 0)
	if _, ok := table.End("old", r); ok || table.Len() != 2 || table.Count(Lost) != 1 {
		t.Error(ok, table.Len(), table.Count(Lost))
	}
	table.Begin("c", &record.Record{Time: 2, Lost: 3, Stream: 1}, 0) // another processor
	if table.Len() != 1 || table.Count(Lost) != 3 {
		t.Error(table.Len(), table.Count(Lost))
	}
}

// TestOneLoss checks that records of a stream with equal time and loss are several losses, also in
// another recording.
func TestLossesAtOneTime(t *testing.T) {
	data := make([]byte, 8)
	for name, next := range map[string]record.Record{
		"another kind":  {Time: 2, Lost: record.LostUnknown, ID: 1, Data: data[:4]},
		"another place": {Time: 2, Lost: record.LostUnknown, Data: data[4:]},
	} {
		var table Table[string, int]
		table.Begin("a", &record.Record{Time: 2, Lost: record.LostUnknown, Data: data[:4]}, 0)
		if _, ok := table.End("a", &next); ok || table.Count(Lost) != 1 {
			t.Errorf("%s: %v, %d", name, ok, table.Count(Lost))
		}
	}
	var table Table[string, int]
	r := &record.Record{Time: 2, Lost: 3, Data: data}
	for range 2 { // walks of a recording
		table.Begin("a", &record.Record{Time: 1}, 0)
		if _, ok := table.End("a", r); ok {
			t.Error("the end of what began before a loss")
		}
		table.Finish()
	}
	if table.Count(Lost) != 2 {
		t.Error(table.Count(Lost), "lost")
	}
}

func TestAllocates(t *testing.T) {
	table := Table[int, int]{Limit: 8, Nested: true}
	var r record.Record
	step := func() {
		for i := range 20 {
			ref := table.Begin(i%5, &r, i)
			table.At(ref).Value = table.Last(i%5, &r).Value
		}
		for i := range 20 {
			table.End(i%5, &r)
		}
	}
	step()
	if allocs := testing.AllocsPerRun(100, step); allocs > 0 {
		t.Errorf("%g allocations", allocs)
	}
}

// TestChange checks that a changed begin is returned with the change, and that a later begin in its
// place is a different one.
func TestChange(t *testing.T) {
	table := Table[string, int]{Nested: true}
	var r record.Record
	outer := table.Begin("a", &r, 1)
	inner := table.Begin("a", &r, 2)
	table.At(outer).Value += 10
	table.Last("a", &r).Value += 20
	if b, ok := table.End("a", &r); !ok || b.Value != 22 {
		t.Error(b, ok)
	}
	table.Begin("b", &r, 3)
	if b := table.At(inner); b != nil {
		t.Error(b)
	}
	if b, ok := table.End("a", &r); !ok || b.Value != 11 {
		t.Error(b, ok)
	}
	if b := table.Last("a", &r); b != nil || table.Count(Unbegun) != 0 {
		t.Error(b, table.Count(Unbegun))
	}
}

func TestReasons(t *testing.T) {
	for why := Replaced; why < reasons; why++ {
		if why.String() == "unknown" || why.String() == "" {
			t.Error(why)
		}
	}
	if Reason(99).String() != "unknown" {
		t.Error(Reason(99))
	}
}

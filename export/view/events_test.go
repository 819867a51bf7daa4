package view

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
)

// TestPlaces: places are found by number and by time, and stay few.
func TestPlaces(t *testing.T) {
	var p eventPlaces
	const n = 3 * baseStep * maxPlaces
	for i := range uint64(n) {
		p.add(10 + i/3*2) // three at a time
	}
	if len(p.list) > maxPlaces || p.count != n || p.step != 4*baseStep {
		t.Fatalf("%d places of %d events, one of %d", len(p.list), p.count, p.step)
	}
	for _, i := range []uint64{0, 1, 2, 3, baseStep, n / 2, n - 1} {
		time := 10 + i/3*2
		for _, at := range []eventPlace{p.number(i), p.time(time)} {
			if at.before > i || at.time > time || i-at.before > 2*p.step || at.before != 0 && at.time != 10+at.before/3*2 {
				t.Errorf("event %d of time %d is behind %+v", i, time, at)
			}
		}
	}
}

// TestList: events are read by number and by time as the recording has them, and are on the
// timeline once.
func TestList(t *testing.T) {
	for _, name := range recordings(t) {
		t.Run(filepath.Base(filepath.Dir(name))+"-"+filepath.Base(name), func(t *testing.T) {
			rec, err := tracec.Open(context.Background(), name)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			s := New(opener(rec), Options{})
			s.read(t.Context())
			defer s.index.store.close()
			r, err := opener(rec)(record.Options{}, tracec.WithThreads())
			if err != nil {
				t.Fatal(err)
			}
			var want []rowAnswer
			for ev := range r.All() {
				want = append(want, newRowAnswer(uint64(len(want)), ev, s.index.base))
			}
			if got := s.index.events.count; got != uint64(len(want)) {
				t.Fatalf("%d events, want %d", got, len(want))
			}
			for first := 0; first < len(want); first += max(len(want)/7, 1) {
				count := min(20, len(want)-first)
				got := s.ask(t, (*Server).list, fmt.Sprintf("first=%d&count=20", first)).(struct {
					Events []rowAnswer `json:"events"`
					Error  string      `json:"error,omitempty"`
				})
				if fmt.Sprint(got.Events) != fmt.Sprint(want[first:first+count]) {
					t.Fatalf("from %d: %.300s, want %.300s", first, fmt.Sprint(got), fmt.Sprint(want[first:first+count]))
				}
			}
		})
	}
}

// ask returns the answer to a query.
func (s *Server) ask(t *testing.T, f func(*Server, *query) any, text string) any {
	t.Helper()
	values, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	q := &query{values: values, ctx: t.Context()}
	a := f(s, q)
	if q.err != nil {
		t.Fatalf("%s: %v", text, q.err)
	}
	return a
}

// TestSearch: all events with a text are found, forwards and back, and most have an item.
func TestSearch(t *testing.T) {
	s := serve(t, mutex)
	finished(t, s)
	x := s.index
	all := []rowAnswer{}
	if err := s.events(t.Context(), eventPlace{}, func(n uint64, ev *tracec.Event) bool {
		all = append(all, newRowAnswer(n, ev, x.base))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"comm=lock-", "sched_wak", "prev_state=S", "lock-1", "prev_prio=120"} {
		var want []uint64
		for _, e := range all {
			if strings.Contains(strings.ToLower(e.Name+" "+e.Comm+" "+e.Text), strings.ToLower(text)) {
				want = append(want, e.Number)
			}
		}
		for _, back := range []string{"", "&back=1"} {
			var got []uint64
			at, items := uint64(0), 0
			if back != "" {
				at = uint64(len(all))
			}
			for {
				var a struct {
					Found  *rowAnswer
					Item   *itemAnswer
					Number uint64
					Done   bool
				}
				askJSON(t, s, "search?text="+strings.ToLower(text)+"&number="+strconv.FormatUint(at, 10)+back, &a)
				if a.Found == nil && a.Done {
					break
				}
				if at = a.Number; a.Found == nil {
					continue
				}
				if a.Item != nil && (a.Item.Begin == a.Found.Time || a.Item.End == a.Found.Time) {
					items++
				}
				got = append(got, a.Found.Number)
				if at = a.Found.Number + 1; back != "" {
					at = a.Found.Number
				}
			}
			if back != "" {
				for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 {
					got[i], got[j] = got[j], got[i]
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) || len(want) == 0 {
				t.Errorf("%s%s: %v, want %v", text, back, got, want)
			}
			if items != len(got) {
				t.Errorf("%s%s: %d of %d events have an item", text, back, items, len(got))
			}
		}
	}
	var numbers [2]uint64
	from, to := all[100].Time, all[500].Time
	askJSON(t, s, fmt.Sprintf("numbers?from=%d&to=%d", from, to), &numbers)
	for i, n := range numbers {
		time := []int64{from, to}[i]
		if all[n].Time != time || all[n-1].Time >= time {
			t.Errorf("the first event at %d is %d", time, n)
		}
	}
	askJSON(t, s, fmt.Sprintf("numbers?from=%d&to=%d", -5, all[len(all)-1].Time+1), &numbers)
	if numbers != [2]uint64{0, uint64(len(all))} {
		t.Errorf("the whole recording has the events %v", numbers)
	}
}

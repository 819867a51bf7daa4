package view

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
)

// TestPlaces: places are found by number and by time, and their number is bounded.
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
			if at.before > i || at.time > time || i-at.before > 2*p.step ||
				at.before != 0 && at.time != 10+at.before/3*2 {
				t.Errorf("event %d of time %d is behind %+v", i, time, at)
			}
		}
	}
}

// compareList compares lists of events by number with the recording. Each event occurs once.
func compareList(t *testing.T, s *Server) {
	t.Helper()
	r, err := s.open(record.Options{}, tracec.WithThreads())
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
	for first := 0; first < len(want); first += max(len(want)/needs.Cases(t, 3, 7), 1) {
		count := min(20, len(want)-first)
		got := s.ask(t, (*Server).list, fmt.Sprintf("first=%d&count=20", first)).(struct {
			Events []rowAnswer `json:"events"`
			Error  string      `json:"error,omitempty"`
		})
		if fmt.Sprint(got.Events) != fmt.Sprint(want[first:first+count]) {
			t.Fatalf("from %d: %.300s, want %.300s", first, fmt.Sprint(got), fmt.Sprint(want[first:first+count]))
		}
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

// TestSearch: the next event with a text is found from any event, in both directions, with its
// item.
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
	var froms []uint64
	for _, p := range needs.Some(t, x.events.list, 3) {
		froms = append(froms, p.before-min(p.before, 1), p.before, p.before+1)
	}
	n := needs.Cases(t, 4, 500)
	for i := range n {
		froms = append(froms, uint64(i*len(all)/n))
	}
	froms = append(froms, uint64(len(all)))
	texts := []string{"comm=lock-", "sched_wak", "prev_state=S", "lock-1", "prev_prio=120", "nowhere"}
	for _, text := range append(texts, all[0].Text, all[len(all)-1].Text) {
		text = strings.ToLower(text)
		has := func(e rowAnswer) bool { return strings.Contains(strings.ToLower(e.Name+" "+e.Comm+" "+e.Text), text) }
		for _, from := range froms {
			if i := slices.IndexFunc(all[from:], has); i < 0 {
				s.searched(t, text, from, "", -1)
			} else {
				s.searched(t, text, from, "", int64(from)+int64(i))
			}
			before := int64(from) - 1
			for before >= 0 && !has(all[before]) {
				before--
			}
			s.searched(t, text, from, "&back=1", before)
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

// searched searches for a text and compares the number of the found event; -1 means that no event
// has the text.
func (s *Server) searched(t *testing.T, text string, from uint64, back string, want int64) {
	t.Helper()
	var a struct {
		Found  *rowAnswer
		Item   *itemAnswer
		Number uint64
		Done   bool
	}
	for a.Number = from; !a.Done; {
		askJSON(t, s, "search?text="+url.QueryEscape(text)+"&number="+strconv.FormatUint(a.Number, 10)+back, &a)
	}
	got := int64(-1)
	if a.Found != nil {
		got = int64(a.Found.Number)
		if a.Item == nil || a.Item.Begin != a.Found.Time && a.Item.End != a.Found.Time {
			t.Errorf("%s from %d%s: event %d has the item %+v", text, from, back, got, a.Item)
		}
	}
	if got != want {
		t.Errorf("%s from %d%s: event %d, want %d", text, from, back, got, want)
	}
}

// TestSearchBack: a search backwards opens the recording less often than there are places of
// events.
func TestSearchBack(t *testing.T) {
	s := serve(t, mutex)
	finished(t, s)
	open, opened := s.open, 0
	s.open = func(o record.Options, more ...tracec.Option) (*tracec.Reader, error) {
		opened++
		return open(o, more...)
	}
	x := s.index
	last := x.events.list[len(x.events.list)-1]
	x.events = eventPlaces{step: 16, count: x.events.count, last: x.events.last}
	if err := s.events(t.Context(), eventPlace{}, func(n uint64, ev *tracec.Event) bool {
		if n%16 == 0 {
			x.events.list = append(x.events.list, eventPlace{ev.Time, n})
		}
		return n < last.before
	}); err != nil {
		t.Fatal(err)
	}
	opened = 0
	s.ask(t, (*Server).search, fmt.Sprintf("text=nowhere&number=%d&back=1", last.before))
	if places := len(x.events.list); opened > 20 || places < 40 {
		t.Errorf("it is opened %d times for %d places", opened, places)
	}
}

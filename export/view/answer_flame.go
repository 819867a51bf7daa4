package view

import (
	"strconv"
	"strings"

	"github.com/tracec/tracec/export/timeline"
)

// finest limits the narrowest frame of an answer: 1/finest of the range.
const finest = 4000

// totalAnswer holds the total of a name.
type totalAnswer struct {
	Name    uint32 `json:"name"`
	Count   uint64 `json:"count"`
	Total   uint64 `json:"total"`
	Self    uint64 `json:"self"`
	Longest uint64 `json:"longest"`
}

// frameAnswer is a frame of a flame graph: name, count, total, self and the frames below it.
type frameAnswer struct {
	Name  uint32        `json:"name"`
	Count uint64        `json:"count"`
	Total uint64        `json:"total"`
	Self  uint64        `json:"self"`
	Below []frameAnswer `json:"below,omitempty"`
}

func newFrameAnswer(f *frame) frameAnswer {
	a := frameAnswer{Name: f.name, Count: f.count, Total: f.total, Self: f.self}
	for _, c := range f.children {
		a.Below = append(a.Below, newFrameAnswer(c))
	}
	return a
}

// flame answers with the merged stacks and the totals of a range, of tracks by number, or of all
// tracks of a kind.
func (s *Server) flame(q *query) any {
	x := s.index
	x.mu.RLock()
	defer x.mu.RUnlock()
	from, to := q.time("from", x.base), q.time("to", x.base)
	chosen := s.chosen(q)
	if q.err != nil {
		return nil
	}
	f := newFlames(q.ctx, x, from, max(from, to))
	tracks := 0
	for i, t := range x.tracks {
		if t == nil || !chosen(i, t) {
			continue
		}
		tracks++
		if err := f.track(x, t); err != nil {
			return nil // the client is gone
		}
	}
	for _, c := range f.root.children {
		f.root.total += c.total
	}
	left := f.root.prune(f.root.total / finest)
	return struct {
		Root    frameAnswer   `json:"root"`
		Left    int           `json:"left"` // number of frames that are too narrow
		Tracks  int           `json:"tracks"`
		Missing bool          `json:"missing"` // some items could not be kept
		Spans   []totalAnswer `json:"spans"`
		Events  []totalAnswer `json:"events"`
	}{newFrameAnswer(&f.root), left, tracks, f.missing, totals(f.spans), totals(f.events)}
}

// chosen returns a function that reports whether a query selects a track.
func (s *Server) chosen(q *query) func(int, *track) bool {
	text := q.values.Get("tracks")
	for _, kind := range []timeline.TrackKind{timeline.Thread, timeline.Functions, timeline.CPU, timeline.Interrupt,
		timeline.Unknown} {
		if text == kind.String() {
			return func(_ int, t *track) bool { return t.kind == kind }
		}
	}
	numbers := map[int]bool{}
	for _, one := range strings.Split(text, ",") {
		n, err := strconv.Atoi(one)
		if err != nil {
			q.fail("tracks is %q, not a kind or numbers", text)
		}
		numbers[n] = true
	}
	return func(i int, _ *track) bool { return numbers[i] }
}

// totals returns the totals of names that occur.
func totals(list []total) []totalAnswer {
	out := []totalAnswer{}
	for _, t := range used(list) {
		out = append(out, totalAnswer{t.name, t.count, t.total, t.self, t.longest})
	}
	return out
}

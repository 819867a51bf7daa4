package view

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// maxMatches is the maximum number of names and tracks that a search lists.
const maxMatches = 200

// find answers with the item next to a place whose name contains a text, on all lanes or on one.
// The search ignores case, unless the text contains upper case.
func (s *Server) find(q *query) any {
	x := s.index
	x.mu.RLock()
	defer x.mu.RUnlock()
	p := place{time: q.time("time", x.base), track: math.MaxInt, depth: math.MaxInt, index: math.MaxInt}
	back := q.values.Get("back") != ""
	if back {
		p.track, p.depth, p.index = -1, instants-1, -1
	}
	if q.values.Has("index") {
		p.track, p.depth = q.laneName(q.values.Get("lane"))
		p.index = int(q.number("index", 0, math.MaxUint32))
	} else if q.values.Has("first") {
		p.track, p.depth, p.index = -1, instants-1, -1
	}
	a := struct {
		Found *itemAnswer   `json:"found"`
		Total uint64        `json:"total"`
		Names []totalAnswer `json:"names"`
	}{Names: []totalAnswer{}}
	var matches func(name) bool
	if text := q.values.Get("text"); text != "" {
		matches = matcher(text)
		for i, n := range x.names {
			if matches(n) && n.count > 0 {
				a.Total += n.count
				a.Names = append(a.Names, totalAnswer{Name: uint32(i), Count: n.count})
			}
		}
		slices.SortStableFunc(a.Names, func(a, b totalAnswer) int { return cmp.Compare(b.Count, a.Count) })
		a.Names = a.Names[:min(len(a.Names), maxMatches)]
	}
	within := q.values.Get("within")
	var track, depth int
	if within != "" {
		if track, depth = q.laneName(within); depth < instants && matches != nil {
			q.fail("items of the lane %s have no names", within)
		}
	}
	if q.err != nil {
		return nil
	}
	f := newFinder(q.ctx, x, matches)
	at, it, ok := place{}, item{}, false
	if within != "" {
		at, it, ok = f.lane(track, depth, p, back)
	} else {
		at, it, ok = f.all(p, back)
	}
	if ok {
		found := newItemAnswer(at, it, x.base)
		a.Found = &found
	}
	return a
}

// matcher returns a function that reports whether a name contains a text.
func matcher(text string) func(name) bool {
	if strings.ToLower(text) != text {
		return func(n name) bool { return strings.Contains(shown(n.text), text) }
	}
	return func(n name) bool { return strings.Contains(strings.ToLower(shown(n.text)), text) }
}

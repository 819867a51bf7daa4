package view

import (
	"encoding/binary"
	"math"
	"net/http"
	"strconv"
	"strings"
)

// Bounds of one answer, which are far above what a screen shows.
const (
	maxLanes   = 1024
	maxBuckets = 1 << 14
	maxEntries = 1 << 20
)

// windowMagic begins an answer of window: TCV and the version.
const windowMagic = 'T' | 'C'<<8 | 'V'<<16 | 1<<24

// window answers with the entries of lanes in a window, little-endian, in columns, since that is what typed arrays of a page take:
//
//	uint32    windowMagic
//	uint32    n, the lanes that are answered: fewer than were asked for when there are too many entries
//	uint32    m, all their entries
//	uint32    0
//	uint32[n] entries of each lane; padded to 8 bytes
//	float64[m] begin, float64[m] end, float64[m] covered, float64[m] longest
//	uint32[m] name, uint32[m] count, uint32[m] index, uint32[m] flags
func (s *Server) window(w http.ResponseWriter, q *query) {
	x := s.index
	x.mu.RLock()
	win, counts := s.entries(q)
	base := x.base
	x.mu.RUnlock()
	if q.err != nil {
		return
	}
	n, m := len(counts), len(win.entries)
	b := make([]byte, 0, 16+4*(n+1)+48*m)
	le := binary.LittleEndian
	b = le.AppendUint32(b, windowMagic)
	b = le.AppendUint32(b, uint32(n))
	b = le.AppendUint32(b, uint32(m))
	b = le.AppendUint32(b, 0)
	for _, c := range counts {
		b = le.AppendUint32(b, uint32(c))
	}
	if n%2 == 1 {
		b = le.AppendUint32(b, 0)
	}
	float := func(value func(*entry) float64) {
		for i := range win.entries {
			b = le.AppendUint64(b, math.Float64bits(value(&win.entries[i])))
		}
	}
	float(func(e *entry) float64 { return float64(int64(e.begin - base)) })
	float(func(e *entry) float64 { return float64(int64(e.end - base)) })
	float(func(e *entry) float64 { return float64(e.covered) })
	float(func(e *entry) float64 { return float64(e.longest) })
	word := func(value func(*entry) uint32) {
		for i := range win.entries {
			b = le.AppendUint32(b, value(&win.entries[i]))
		}
	}
	word(func(e *entry) uint32 { return e.name })
	word(func(e *entry) uint32 { return e.count })
	word(func(e *entry) uint32 { return e.index })
	word(func(e *entry) uint32 { return e.flags })
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Write(b)
}

// entries reads the lanes that a query asks for, and returns how many entries each has.
func (s *Server) entries(q *query) (*window, []int) {
	x := s.index
	level := uint(q.number("level", 0, 62))
	win := newWindow(q.time("from", x.base), q.time("to", x.base), level)
	lanes := strings.Split(q.values.Get("lanes"), ",")
	switch {
	case q.err != nil:
	case win.to < win.from || (win.to-win.from)>>level > maxBuckets:
		q.fail("a window of more than %d stretches", maxBuckets)
	case len(lanes) > maxLanes:
		q.fail("more than %d lanes", maxLanes)
	}
	var counts []int
	for _, text := range lanes {
		track, depth := q.laneName(text)
		if q.err != nil || q.ctx.Err() != nil || len(win.entries) > maxEntries {
			break
		}
		before := len(win.entries)
		if l := x.lane(track, depth); l != nil {
			win.read(x.store, l)
		}
		if track < len(x.tracks) && x.tracks[track] != nil {
			win.open(x.tracks[track], depth, x.now)
		}
		counts = append(counts, len(win.entries)-before)
	}
	return win, counts
}

// laneNames are the depths that are no numbers.
var laneNames = map[string]int{"i": instants, "r": runs}

// laneName returns the lane that is written track.depth, where the depth of instants is i, and r of when the thread runs.
func (q *query) laneName(text string) (track, depth int) {
	first, second, _ := strings.Cut(text, ".")
	track, err := strconv.Atoi(first)
	if depth, ok := laneNames[second]; ok && err == nil && track >= 0 {
		return track, depth
	}
	depth, err2 := strconv.Atoi(second)
	if err != nil || err2 != nil || track < 0 || depth < 0 {
		q.fail("%q is no lane", text)
	}
	return track, depth
}

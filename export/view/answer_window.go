package view

import (
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Bounds of one answer, far above the capacity of a screen.
const (
	maxLanes   = 1024
	maxBuckets = 1 << 14
	maxEntries = 1 << 20
)

// windowMagic begins an answer of window: TCV and the version.
const windowMagic = 'T' | 'C'<<8 | 'V'<<16 | 2<<24

// window answers with the entries of lanes in a window, little-endian, in columns for the typed
// arrays of the page:
//
//	uint32    windowMagic
//	uint32    n, the answered lanes: fewer than requested if there are too many entries
//	uint32    m, all their entries
//	uint32    0
//	uint32[n] entries of each lane; padded to 8 bytes
//	float64[m] begin, float64[m] end, float64[m] covered, float64[m] longest
//	uint32[m] name, uint32[m] count, uint32[m] index, uint32[m] flags
//	uint32[m] low, uint32[m] high: bit n%64 is set if the entry may contain name n
func (s *Server) window(q *query) any {
	x := s.index
	x.mu.RLock()
	entries, counts := s.entries(q)
	base := x.base
	x.mu.RUnlock()
	if q.err != nil {
		return nil
	}
	n, m := len(counts), len(entries)
	b := make([]byte, 0, 16+4*(n+1)+56*m)
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
		for i := range entries {
			b = le.AppendUint64(b, math.Float64bits(value(&entries[i])))
		}
	}
	float(func(e *entry) float64 { return float64(int64(e.begin - base)) })
	float(func(e *entry) float64 { return float64(int64(e.end - base)) })
	float(func(e *entry) float64 { return float64(e.covered) })
	float(func(e *entry) float64 { return float64(e.longest) })
	word := func(value func(*entry) uint32) {
		for i := range entries {
			b = le.AppendUint32(b, value(&entries[i]))
		}
	}
	word(func(e *entry) uint32 { return e.name })
	word(func(e *entry) uint32 { return e.count })
	word(func(e *entry) uint32 { return e.index })
	word(func(e *entry) uint32 { return e.flags })
	word(func(e *entry) uint32 { return uint32(e.names) })
	word(func(e *entry) uint32 { return uint32(e.names >> 32) })
	return b
}

// entries returns the entries of the requested lanes, and the number of entries for each lane.
func (s *Server) entries(q *query) ([]entry, []int) {
	x := s.index
	level := uint(q.number("level", 0, 62))
	from, to := q.time("from", x.base), q.time("to", x.base)
	win := newWindow(from, to, level)
	if win.to < win.from || (win.to-win.from)>>level > maxBuckets {
		q.fail("a window of more than %d stretches", maxBuckets)
	}
	names := strings.Split(q.values.Get("lanes"), ",")
	if len(names) > maxLanes {
		q.fail("more than %d lanes", maxLanes)
	}
	var lanes []place
	for _, name := range names[:min(len(names), maxLanes)] {
		track, depth := q.laneName(name)
		lanes = append(lanes, place{track: track, depth: depth})
	}
	if q.err != nil {
		return nil, nil
	}
	return x.parts(q.ctx, win, lanes)
}

// parts reads lanes in parallel. It returns fewer counts than lanes if the context is done or there
// are too many entries.
func (x *index) parts(ctx context.Context, win *window, lanes []place) (entries []entry, counts []int) {
	n := min(runtime.GOMAXPROCS(0), len(lanes)/4+1)
	windows, parts := make([]window, n), make([][]int, n)
	var wait sync.WaitGroup
	for i := range n {
		windows[i] = *win
		wait.Go(func() {
			parts[i] = x.read(ctx, &windows[i], lanes[i*len(lanes)/n:(i+1)*len(lanes)/n], maxEntries/n)
		})
	}
	wait.Wait()
	for i := range n {
		entries, counts = append(entries, windows[i].entries...), append(counts, parts[i]...)
		if len(counts) < (i+1)*len(lanes)/n {
			break
		}
	}
	return entries, counts
}

// read appends the entries of lanes to a window until there are too many. It returns the number of
// entries for each lane.
func (x *index) read(ctx context.Context, win *window, lanes []place, most int) (counts []int) {
	for _, p := range lanes {
		before := len(win.entries)
		if ctx.Err() != nil || before > most {
			break
		}
		if l := x.lane(p.track, p.depth); l != nil {
			win.read(x.store, l)
		}
		if p.track < len(x.tracks) && x.tracks[p.track] != nil {
			win.open(x.tracks[p.track], p.depth, x.now)
		}
		counts = append(counts, len(win.entries)-before)
	}
	return counts
}

// laneNames holds the depths with a name instead of a number.
var laneNames = map[string]int{"i": instants, "r": runs, "s": statesOf}

// laneName parses a lane in the form track.depth. The depth is i for instants, r for runs of the
// thread, and s for its states.
func (q *query) laneName(text string) (track, depth int) {
	first, second, _ := strings.Cut(text, ".")
	track, err := strconv.Atoi(first)
	if depth, ok := laneNames[second]; ok && err == nil && track >= 0 {
		return track, depth
	}
	depth, err2 := strconv.Atoi(second)
	if err != nil || err2 != nil || track < 0 || depth < 0 {
		q.fail("unknown lane %q", text)
	}
	return track, depth
}

package view

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// drawn draws the items of a lane. With back, some items begin before the end of the previous one.
func drawn(r *rand.Rand, n int, back bool) []item {
	var list []item
	now := r.Uint64N(1 << 50)
	for range n {
		now += r.Uint64N(1 << r.UintN(20))
		it := item{begin: now, end: now + r.Uint64N(1<<r.UintN(24)), name: uint32(r.IntN(100)),
			flags: uint32(r.IntN(4))}
		if r.IntN(5) == 0 {
			it.end = it.begin
		}
		if now = it.end; back && r.IntN(50) == 0 {
			now -= min(now, r.Uint64N(1<<r.UintN(22)))
		}
		list = append(list, it)
	}
	return list
}

// fill makes a lane of items with its first blocks in memory.
func fill(t *testing.T, list []item, size uint32) (*store, *lane) {
	t.Helper()
	s := newStore(blockSize)
	t.Cleanup(func() { s.close() })
	l := &lane{}
	for _, it := range list {
		l.add(s, size, it)
	}
	return s, l
}

// TestLane: added items can be read back, from memory and from the file.
func TestLane(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	list := drawn(r, 400_000, true)
	s, l := fill(t, list, 64)
	if memory, file := s.bytes(); memory > 2*blockSize || file == 0 {
		t.Errorf("%d bytes in memory, %d in the file", memory, file)
	}
	n := 0
	var buf scratch
	for i := range l.all() {
		if c := l.at(i); int(c.index) != n || l.holding(uint32(n)) != i {
			t.Fatalf("chunk %d begins with item %d, and %d is in chunk %d", i, c.index, n, l.holding(uint32(n)))
		}
		for _, it := range l.decode(s, i, &buf) {
			if it != list[n] {
				t.Fatalf("item %d is %+v, want %+v", n, it, list[n])
			}
			n++
		}
	}
	if n != len(list) || int(l.count()) != n || l.holding(uint32(n)) != -1 {
		t.Errorf("%d items of %d", n, len(list))
	}
	if at := l.ending(list[n-1].end + 1<<40); at != l.all() {
		t.Errorf("chunk %d ends after the last item", at)
	}
}

// TestWindow: at every resolution, the entries count every item once and cover the same time as the
// items.
func TestWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	list := drawn(r, 20_000, true)
	s, l := fill(t, list, 64)
	first, last := list[0].begin, l.last
	for _, it := range list {
		first = min(first, it.begin)
	}
	for level := range uint(50) {
		w := newWindow(first, last+1, level)
		w.read(s, l)
		var count int
		var covered, longest, names, all uint64
		for _, e := range w.entries {
			count += int(e.count)
			covered += e.covered
			longest = max(longest, e.longest)
			if e.count == 1 && (list[e.index] != item{e.begin, e.end, e.name, e.flags}) {
				t.Fatalf("level %d: entry %+v is of item %+v", level, e, list[e.index])
			}
			if e.count > 1 && e.longest >= 1<<level {
				t.Fatalf("level %d: a span of %d is in a summary", level, e.longest)
			}
			if bit := uint64(1) << (e.name % 64); e.names&bit == 0 || e.count == 1 && e.names != bit {
				t.Fatalf("level %d: %d items have names %#x, one of them %d", level, e.count, e.names, e.name)
			}
			names |= e.names
		}
		var want, most uint64
		for _, it := range list {
			want += it.end - it.begin
			most = max(most, it.end-it.begin)
			all |= 1 << (it.name % 64)
		}
		if names != all {
			t.Errorf("level %d: names %#x, want %#x", level, names, all)
		}
		if count != len(list) || covered != want || longest != most {
			t.Errorf("level %d: %d items cover %d, the longest %d; want %d, %d, %d", level, count, covered, longest,
				len(list), want, most)
		}
	}
}

// TestWindowPart: a window of a part of the time has the same entries as the whole there.
func TestWindowPart(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	list := drawn(r, 20_000, false)
	s, l := fill(t, list, 64)
	for range needs.Cases(t, 50, 300) {
		level := r.UintN(24)
		from := list[r.IntN(len(list))].begin
		whole, part := newWindow(0, l.last+1, level), newWindow(from, from+1<<(level+r.UintN(8)), level)
		whole.read(s, l)
		part.read(s, l)
		want := map[uint64]entry{}
		for _, e := range whole.entries {
			want[uint64(e.index)] = e
		}
		for _, e := range part.entries {
			if want[uint64(e.index)] != e {
				t.Fatalf("level %d from %d: %+v, want %+v", level, from, e, want[uint64(e.index)])
			}
		}
	}
}

// TestGone: items that cannot be kept have summaries with a mark.
func TestGone(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	list := drawn(r, 200_000, false)
	s, l := newStore(blockSize), &lane{}
	for i, it := range list {
		if i == len(list)/2 {
			s.err = errors.New("the disk is full")
		}
		l.add(s, 64, it)
	}
	defer s.close()
	w := newWindow(list[0].begin, l.last+1, 0)
	w.read(s, l)
	var kept, summed int
	for _, e := range w.entries {
		if e.flags&gone != 0 {
			summed += int(e.count)
		} else {
			kept += int(e.count)
		}
	}
	if kept+summed != len(list) || kept < len(list)/3 || summed < len(list)/3 {
		t.Errorf("%d items and %d in summaries, of %d", kept, summed, len(list))
	}
}

// TestFind: steps from item to item reach all items, in both directions.
func TestFind(t *testing.T) {
	x := newIndex(1 << 20)
	r := rand.New(rand.NewPCG(7, 8))
	x.names = make([]name, 100)
	all := 0
	for i := range 3 {
		tr := &track{spans: make([]lane, 2)}
		x.tracks = append(x.tracks, tr)
		for _, l := range []*lane{&tr.instants, &tr.spans[0], &tr.spans[1]} {
			for _, it := range drawn(r, 500+i, true) {
				it.begin, it.end = it.begin%5000, it.begin%5000 // many at the same time
				it.begin += l.last
				it.end = it.begin
				l.add(x.store, 16, it)
				if it.name == 7 {
					all++
				}
			}
		}
	}
	x.names[7].text = "seven"
	for _, back := range []bool{false, true} {
		f := newFinder(t.Context(), x, matcher("eve"))
		p := place{track: -1}
		if back {
			p = nowhere
		}
		n := 0
		for {
			q, it, ok := f.all(p, back)
			if !ok {
				break
			}
			if n++; it.name != 7 || n > all || p.before(q) == back {
				t.Fatalf("item %d of %d is %+v at %+v after %+v", n, all, it, q, p)
			}
			p = q
		}
		if n != all {
			t.Errorf("back %v: %d of %d", back, n, all)
		}
	}
}

// TestUnseen: a call without a recorded begin encloses the calls within it, and does not hide
// others.
func TestUnseen(t *testing.T) {
	x, tr := newIndex(1<<20), &timeline.Track{}
	end := func(name int, begin, end uint64, unseen bool) {
		n := &timeline.Name{Index: name, Text: strconv.Itoa(name)}
		x.add(&timeline.Item{Kind: timeline.End, Time: end, Track: tr, Name: n,
			Span: &timeline.Span{Name: n, Begin: begin, End: end, Unseen: unseen}})
	}
	end(0, 10, 20, false) // in 2
	end(1, 30, 40, true)  // in 2
	end(2, 5, 50, true)   // in 3
	end(3, 0, 60, true)
	end(4, 70, 80, false)
	end(5, 75, 85, true) // overlaps 4
	got := ""
	for i := range x.tracks[0].spans {
		for _, it := range x.tracks[0].spans[i].decode(x.store, 0, &scratch{}) {
			got += strconv.Itoa(int(it.name))
		}
		got += " "
	}
	if want := "34 25 01 "; got != want {
		t.Errorf("lanes have %q, want %q", got, want)
	}
	f := newFlames(context.Background(), x, 0, 100)
	if err := f.track(x, x.tracks[0]); err != nil {
		t.Fatal(err)
	}
	if f.spans[3].self != 60-45 || f.spans[2].self != 45-20 || f.spans[5].self != 10 {
		t.Errorf("times %+v", f.spans)
	}
}

package aix_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

var (
	resyncAll  = flag.Bool("resync.all", false, "TestResync: cut and insert every length in all 2,000 streams")
	resyncShow = flag.Bool("resync.show", false, "TestResync: print the cases that lose or invent most")
)

// traffic makes the events of one stream of a kind.
type traffic struct {
	name     string
	kernel64 bool
	make     func(r *rand.Rand, n int) []event
}

// traffics are the kinds of streams that TestResync breaks.
var traffics = []traffic{
	{"counters/32", false, counters(0x0200, false)},
	{"counters/64", true, counters(0x0200, true)},
	{"hookwords/32", false, counters(0x0200, false)},
	{"busy/32", false, func(r *rand.Rand, n int) []event { return busy(r, false, n) }},
	{"busy/64", true, func(r *rand.Rand, n int) []event { return busy(r, true, n) }},
	{"short/32", false, shortHooks},
	{"copies/32", false, copies(false)},
	{"copies/64", true, copies(true)},
	{"processors/64", true, processors},
	{"bare/32", false, bare(false, 1)},
	{"bare/64", true, bare(true, 1)},
	{"onoff/32", false, bare(false, 3)},
	{"onoff/64", true, bare(true, 3)},
}

// counters returns hooks with one word that counts. Some of its values look like hook words of the
// trace.
func counters(id uint16, kernel64 bool) func(r *rand.Rand, n int) []event {
	return func(r *rand.Rand, n int) []event {
		first := []uint64{0, 1, uint64(id)<<16 | 0xA0000, 0x020A0000, 0x010A0005, r.Uint64() & 0xFFFFFF}[r.IntN(6)]
		step := uint64(1 + r.IntN(3000))
		var events []event
		for i := range n {
			events = append(events, event{
				id: id, stamped: true, app64: kernel64, words: []uint64{first + uint64(i)},
				tid: 0x3A5B, step: step + uint64(r.IntN(50)), cpu: -1,
			})
		}
		return events
	}
}

// shortHooks returns hooks without data words.
func shortHooks(r *rand.Rand, n int) []event {
	events := busy(r, false, n)
	for i := range events {
		e := &events[i]
		e.app64, e.generic, e.words, e.buf = false, false, nil, nil
	}
	return events
}

// copies returns generic hooks whose buffers contain hook words and whole entries of other hooks.
func copies(kernel64 bool) func(r *rand.Rand, n int) []event {
	return func(r *rand.Rand, n int) []event {
		events := busy(r, kernel64, n)
		for i := range events {
			if e := &events[i]; r.IntN(3) == 0 {
				var b bytes.Buffer
				w := aix.NewWriter(&b, aix.WriterOptions{Kernel64: kernel64})
				other := busy(r, kernel64, 1+r.IntN(3))
				for k := range other {
					other[k].write(w, r.Uint64())
				}
				w.Flush()
				e.generic, e.words, e.buf = true, []uint64{uint64(r.IntN(99))}, b.Bytes()[r.IntN(8):]
			}
		}
		return events
	}
}

// processors returns hooks with numbers of processors and with registers. Their stamps are slightly
// out of order.
func processors(r *rand.Rand, n int) []event {
	events := busy(r, true, n)
	for i := range events {
		e := &events[i]
		e.cpu = r.IntN(16)
		if r.IntN(4) == 0 {
			e.regs = []uint64{uint64(i) * 977, r.Uint64() >> 20}
		}
		if i > 0 && r.IntN(6) == 0 {
			e.step = -uint64(r.IntN(200)) // below the previous step
		}
	}
	events[0].step = 5000
	return events
}

// bare returns hooks. One of oneIn runs of hooks has no stamps.
func bare(kernel64 bool, oneIn int) func(r *rand.Rand, n int) []event {
	return func(r *rand.Rand, n int) []event {
		events := busy(r, kernel64, n)
		on := false
		for i := range events {
			if i == 0 || r.IntN(8) == 0 {
				on = r.IntN(oneIn) != 0
			}
			events[i].stamped = on
		}
		return events
	}
}

// resyncs counts the results for the entries of broken streams.
type resyncs struct {
	streams, cases int
	touched        int // entries that a cut or an insertion affects
	lost           int // entries that were not read
	invented       int // entries that were read but are not in the stream
	excess, worst  int // lost beyond the touched entries, in all and in one case
	refused        int
	silent         int // cases with more losses than touched entries, but without reported damage
	opts           []aix.Option
}

func (c *resyncs) String() string {
	return fmt.Sprintf("%6d cases: %d entries hit, %d lost, %d of them not hit (worst %d), %d invented, %d silent, %d refused",
		c.cases, c.touched, c.lost, c.excess, c.worst, c.invented, c.silent, c.refused)
}

// extent is the place of an entry in a stream.
type extent struct{ from, to int }

// TestResync cuts pieces out of streams of many kinds and inserts pieces. It counts lost entries
// and invented entries. Not more entries may be lost than are affected.
func TestResync(t *testing.T) {
	streams, lengths := 39, []int{1, 2, 3, 4, 5, 8, 18, 33, 64}
	if *resyncAll {
		streams, lengths = 2000, nil
		for n := 1; n <= 64; n++ {
			lengths = append(lengths, n)
		}
	}
	all := &resyncs{}
	byKind := map[string]*resyncs{}
	for i := range streams + 1 {
		lengths := lengths
		if i == streams { // the stream in which an entry once followed a gap exactly at the reach of a decision
			i, lengths = 423, []int{16}
		}
		kind := traffics[i%len(traffics)]
		r := rand.New(rand.NewPCG(uint64(i), 13))
		clean := stream(t, kind.make(r, 60+r.IntN(240)), kind.kernel64, r.Uint64()>>34)
		raws, extents := entriesOf(t, clean, kind.kernel64)
		c := byKind[kind.name]
		if c == nil {
			c = &resyncs{}
			byKind[kind.name] = c
		}
		c.streams++
		for _, n := range lengths {
			c.cut(r, kind.kernel64, clean, n, raws, extents)
			c.insert(r, kind.kernel64, clean, n, raws, extents)
		}
	}
	for _, k := range traffics {
		c := byKind[k.name]
		t.Logf("%-14s %v", k.name, c)
		all.add(c)
	}
	t.Logf("%-14s %v", "all", all)
	if all.invented >= all.lost {
		t.Errorf("%d entries invented, %d lost", all.invented, all.lost)
	}
	if all.refused > 0 {
		t.Errorf("%d streams refused", all.refused)
	}
	if all.silent*200 > all.cases {
		t.Errorf("more lost than hit and no damage in %d of %d cases", all.silent, all.cases)
	}
	if all.excess*50 > all.cases {
		t.Errorf("%d entries lost that were not hit, in %d cases", all.excess, all.cases)
	}
}

// TestResyncDescribed breaks streams in which most hooks occur once. A reader that knows the
// existing hooks reads more of them.
func TestResyncDescribed(t *testing.T) {
	var ids []uint16
	r := rand.New(rand.NewPCG(3, 13))
	for range 800 { // as many as a system describes
		ids = append(ids, uint16(0x100+r.IntN(0xF00))<<4)
	}
	without, with := &resyncs{}, &resyncs{opts: []aix.Option{aix.WithHooks(ids)}}
	for i := range needs.Cases(t, 25, 300) {
		for _, kernel64 := range []bool{false, true} {
			for _, c := range []*resyncs{without, with} {
				r := rand.New(rand.NewPCG(uint64(i), 14))
				events := busy(r, kernel64, 5+r.IntN(60))
				for k := range events {
					events[k].id = ids[r.IntN(len(ids))]
				}
				clean := stream(t, events, kernel64, r.Uint64()>>34)
				raws, extents := entriesOf(t, clean, kernel64)
				for _, n := range []int{1, 2, 3, 8, 18} {
					c.cut(r, kernel64, clean, n, raws, extents)
					c.insert(r, kernel64, clean, n, raws, extents)
				}
			}
		}
	}
	t.Logf("without: %v", without)
	t.Logf("with:    %v", with)
	if with.excess*4 > without.excess*3 || with.lost > without.lost || with.invented > without.invented ||
		with.refused > without.refused {
		t.Error("what is described does not help")
	}
}

func (c *resyncs) add(o *resyncs) {
	c.streams += o.streams
	c.cases += o.cases
	c.touched += o.touched
	c.lost += o.lost
	c.invented += o.invented
	c.excess += o.excess
	c.refused += o.refused
	c.silent += o.silent
	c.worst = max(c.worst, o.worst)
}

// entriesOf reads an intact stream.
func entriesOf(t testing.TB, b []byte, kernel64 bool) (raws []string, extents []extent) {
	t.Helper()
	rec := openBytes(t, b, aix.WithKind(kindOf(kernel64)))
	raws, extents = rawEntries(rec)
	if n := rec.DamageStats().Count; n > 0 {
		t.Fatalf("intact stream: %v", rec.Damage())
	}
	return raws, extents
}

func kindOf(kernel64 bool) aix.Kind {
	if kernel64 {
		return aix.Stream64
	}
	return aix.Stream32
}

// rawEntries returns the bytes of each entry, and the places of the entries.
func rawEntries(rec *aix.Recording) (raws []string, extents []extent) {
	s := rec.Streams(record.Options{})[0]
	for {
		batch, err := s.Next()
		if err == io.EOF {
			return raws, extents
		}
		for _, e := range batch.Entries {
			raws = append(raws, string(e.Raw))
			extents = append(extents, extent{int(e.Offset), int(e.Offset) + len(e.Raw)})
		}
	}
}

// somewhere returns a place in a stream, often at its head.
func somewhere(r *rand.Rand, b []byte, extents []extent) int {
	begin := extents[0].from
	if r.IntN(8) == 0 {
		return begin + r.IntN(min(len(b)-begin, 80))
	}
	return begin + r.IntN(len(b)-begin)
}

func (c *resyncs) cut(r *rand.Rand, kernel64 bool, clean []byte, n int, raws []string, extents []extent) {
	at := somewhere(r, clean, extents)
	end := min(at+n, len(clean))
	hit := 0
	for _, e := range extents {
		if e.from < end && e.to > at {
			hit++
		}
	}
	c.check(append(clean[:at:at], clean[end:]...), kernel64, raws, hit, fmt.Sprintf("%d bytes cut at %d", n, at))
}

func (c *resyncs) insert(r *rand.Rand, kernel64 bool, clean []byte, n int, raws []string, extents []extent) {
	at := somewhere(r, clean, extents)
	piece := make([]byte, n)
	switch r.IntN(3) {
	case 0: // noise
		for i := range piece {
			piece[i] = byte(r.Uint32())
		}
	case 1: // a piece of the stream itself
		copy(piece, clean[r.IntN(len(clean)):])
	default: // zeros
	}
	hit := 0
	for _, e := range extents {
		if e.from < at && e.to > at {
			hit++
		}
	}
	c.check(slices.Concat(clean[:at], piece, clean[at:]), kernel64, raws, hit,
		fmt.Sprintf("%d bytes inserted at %d", n, at))
}

// check reads a damaged stream and counts the entries.
func (c *resyncs) check(b []byte, kernel64 bool, want []string, hit int, what string) {
	c.cases++
	c.touched += hit
	rec, err := aix.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "broken.trc", c.opts...)
	if err != nil {
		c.refused++
		return
	}
	if k := rec.Info().Kind; k != kindOf(kernel64) {
		c.refused++
		return
	}
	got, _ := rawEntries(rec)
	same := common(want, got)
	lost, invented := len(want)-same, len(got)-same
	c.lost += lost
	c.invented += invented
	c.excess += max(0, lost-hit)
	if lost-hit > c.worst {
		c.worst = lost - hit
	}
	if *resyncShow && (lost-hit > 2 || invented > lost+6) {
		fmt.Println(what, "hit", hit, "lost", lost, "invented", invented, "of", len(want), rec.Damage())
	}
	if lost > hit+1 && rec.DamageStats().Count == 0 {
		c.silent++
	}
}

// common returns the length of the longest common subsequence.
func common(a, b []string) int {
	n := 0
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, n = a[1:], b[1:], n+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, n = a[:len(a)-1], b[:len(b)-1], n+1
	}
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			here := row[j+1]
			if x == y {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			before = here
		}
	}
	return n + row[len(b)]
}

package ctf

import (
	"errors"
	"io"
	"slices"
	"sort"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/record"
)

// slicePart is the state of a stream that is read for a slice.
type slicePart struct {
	*record.Part
	log     damage.Log // damage of the part
	losses  losses     // of the part
	started bool
}

// leastShare is the least memory for each stream of a slice, in bytes.
const leastShare = maxBatch*entryBytes + windowBytes

// Slices returns the records that opts select in slices of about size bytes, in the order of time.
// If size is 0, there are several slices for each worker. There is only one slice if more would
// gain nothing, or if packets do not have the time of their begin.
func (r *Recording) Slices(opts record.Options, size int64) []record.Slice[Entry] {
	if chains, samples := r.toCut(&opts, &size); chains != nil {
		if cuts := record.Cuts(slices.Concat(samples...), size); cuts[0] != nil {
			return record.CutSlices(cuts, func(c *record.Cut) *record.Merger[Entry] {
				streams := make([]*Stream, len(chains))
				for i, k := range chains {
					streams[i] = r.cutStream(k, &opts, c)
				}
				return merge(streams)
			})
		}
	}
	return []record.Slice[Entry]{{Open: func(*record.Cut) *record.Merger[Entry] { return r.Merge(opts) }}}
}

// StreamSlices returns the records that opts select in slices of about size bytes, one stream after
// the other. If [Recording.Slices] has only one slice, each stream is one slice here.
func (r *Recording) StreamSlices(opts record.Options, size int64) (list []record.Slice[Entry]) {
	chains, samples := r.toCut(&opts, &size)
	if chains == nil {
		return record.Slices[Entry](r.Streams(opts))
	}
	for i, k := range chains {
		cuts := record.Cuts(samples[i], size)
		if cuts[0] == nil {
			cuts[0] = &record.Cut{} // not nil: it is read like slices
		}
		list = append(list, record.CutSlices(cuts,
			func(c *record.Cut) *record.Merger[Entry] { return record.Only(r.cutStream(k, &opts, c), i) })...)
	}
	return list
}

// A part reads the headers of packets, from a place on where parts may begin. There are placesEach
// for each slice. If they would be less than leastApart bytes apart, there are fewer, but at least
// leastEach. In total, there are at most mostPlaces.
const (
	placesEach = 128
	leastEach  = 8
	leastApart = 16 << 10
	mostPlaces = 1 << 14
)

// toCut finds places in all streams where parts may begin. It returns nil if the streams must not
// be cut.
func (r *Recording) toCut(opts *record.Options, size *int64) (chains []*chain, samples [][]record.Sample) {
	workers, total := opts.Parallel(), int64(0)
	if workers <= 1 || r.watch != nil || opts.After != nil || opts.Tasks != nil {
		return nil, nil
	}
	for _, c := range r.chains {
		total += c.size()
	}
	if *size <= 0 {
		*size = record.SliceSize(total, workers)
	}
	if total <= *size || r.memory.Left()/2 < leastShare*int64(len(r.chains))*int64(workers+1) {
		return nil, nil
	}
	every := max(*size/placesEach, min(leastApart, *size/leastEach), total/mostPlaces, 1)
	samples = record.SampleAll(workers, len(r.chains),
		func(i int) []record.Sample { return r.know(r.chains[i], every) })
	if slices.ContainsFunc(r.chains, func(c *chain) bool { return c.known == nil }) {
		return nil, nil
	}
	for _, c := range r.chains {
		r.read.Share(c.size())
	}
	return r.chains, samples
}

// know lists packets of a chain, once, and returns their times. In a single file, the packets are
// about every bytes apart.
func (r *Recording) know(c *chain, every int64) []record.Sample {
	c.listing.Do(func() {
		if c.known = c.list; c.known == nil {
			c.known = r.somePackets(c.files[0], every)
		}
	})
	return c.samples()
}

// samples returns the times of the listed packets that are not idle.
func (c *chain) samples() (list []record.Sample) {
	for i, p := range c.known {
		if p.idle {
			continue
		}
		x := record.Sample{Time: p.time, Size: p.size, End: p.last}
		if c.list == nil && i+1 < len(c.known) { // there are other packets between the two
			if next := &c.known[i+1]; !next.follows(&p) {
				x.Size, x.End = next.offset-p.offset, max(x.End, next.time)
			}
		}
		list = append(list, x)
	}
	return list
}

// cutStream returns the part of a stream in a slice.
func (r *Recording) cutStream(c *chain, opts *record.Options, cut *record.Cut) *Stream {
	s := r.stream(c, opts)
	s.held.share = r.read.Part()
	p := cut.Part()
	s.part = &slicePart{Part: p}
	s.made.single = true // all places are in one packet
	p.Accept = func() {
		r.damage.Join(&s.part.log)
		r.losses.join(&s.part.losses)
	}
	return s
}

// notes returns the log for damage. Damage found before the part begins belongs to the previous
// slice. If a stream cannot even begin where that slice ended, the damage is its own.
func (p *slicePart) notes() *damage.Log {
	if p.Begun || p.From != nil && !p.started {
		return &p.log
	}
	return nil
}

// readPart returns the next selected events of the part.
func (s *Stream) readPart() (record.Batch[Entry], error) {
	p := s.part
	for !p.Ended {
		if err := s.choice.Err(); err != nil {
			return record.Batch[Entry]{}, err
		}
		var b record.Batch[Entry]
		err := s.startPart()
		if err == nil && !p.Ended {
			b, err = s.batch()
		}
		b = s.within(b)
		if err != nil {
			err = p.Fail(err)
		}
		if len(b.Records) > 0 || err != nil {
			return b, err
		}
	}
	s.Close()
	return record.Batch[Entry]{}, io.EOF
}

// startPart moves to the packet where the part begins, or to an earlier one. The counters are those
// of the packet before it. A part that begins where another one ended does not need them.
func (s *Stream) startPart() error {
	p := s.part
	if p.started {
		return nil
	}
	if err := s.start(); err != nil {
		return err
	}
	known, first := s.chain.known, 0
	before := func(time uint64) int {
		return sort.Search(len(known), func(i int) bool { return known[i].time >= time })
	}
	if end := before(p.Last); p.Last > 0 && s.packets.list == nil && end < len(known) {
		p.Near = known[end].offset + headBytes // the first event of that packet shows that the part has ended
	}
	switch from := p.From; {
	case from != nil && *from == record.AtEnd:
		p.EndAt(record.AtEnd)
	case from != nil && s.packets.list == nil:
		s.pk.offset = int64(from.State[0])
	case from != nil:
		s.packets.at = int(from.State[0])
	case p.First > 0:
		first = before(p.First) - 1
	}
	if first > 0 {
		if err := s.approach(first); err != nil {
			return err
		}
		s.harm.lost = 0
	}
	p.started = true
	s.held.share.Begin(s.pk.offset)
	return nil
}

// approach moves to the packet before the one where the part may begin: the last packet that begins
// before First. It is known[first], or a later packet that is not listed.
func (s *Stream) approach(first int) error {
	known := s.chain.known
	if s.packets.list != nil {
		s.packets.at = first - 1
		err := s.nextPacket()
		s.packets.at = first
		return err
	}
	s.packets.near, s.pk.offset = first-1, known[first-1].offset
	var before, last packet
	for s.pk.size == 0 || s.class.clock.nanoseconds(s.pk.begin) < s.part.First {
		before, last = last, s.pk
		if err := s.nextPacket(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
	}
	s.pk = before
	return nil
}

// packetPlace returns the place of the current packet: in the list, or in the file.
func (s *Stream) packetPlace() uint64 {
	if s.packets.list == nil {
		return uint64(s.pk.offset)
	}
	return uint64(s.packets.at - 1)
}

// within moves the selected events of the part to the front.
//
// A part cannot begin at an unselected event: the merge does not see its time.
func (s *Stream) within(b record.Batch[Entry]) record.Batch[Entry] {
	p := s.part
	last := p.Last - 1 // for 0, all events are in the part
	records, entries := b.Records, b.Entries
	if p.Begun && !record.AnyLater(records, last) {
		if s.choice.Quick(s.made.sieved) {
			return b
		}
		return choice.Filter(s.choice, b)
	}
	n := 0
	for i := range records {
		r := &records[i]
		if !p.Begun && p.From != nil {
			if s.packetPlace() == p.From.State[0] && entries[i].Offset < p.From.At {
				continue
			}
			r.Lost = p.From.Lost
		}
		if !s.choice.Takes(r) {
			continue
		}
		if !p.Begun {
			if p.From == nil && r.Time < p.First {
				continue
			}
			p.Begun, p.Begin = true, s.place(r, &entries[i])
		}
		if r.Time > last {
			p.EndAt(s.place(r, &entries[i]))
			break
		}
		if n < i {
			records[n], entries[n] = *r, entries[i]
		}
		n++
	}
	return record.Batch[Entry]{Records: records[:n], Entries: entries[:n]}
}

// place returns the place of an event of the batch. All events of a batch are in one packet.
func (s *Stream) place(r *record.Record, e *Entry) record.Place {
	if !s.pk.timed { // its times depend on earlier packets
		s.part.GiveUp()
	}
	return record.Place{At: e.Offset, Lost: r.Lost, State: [3]uint64{s.packetPlace()}}
}

// checkPlace gives up a part with an event that ends in the byte where it begins. The next event
// would have the same place.
func (s *Stream) checkPlace(at uint64) {
	if s.part != nil && s.part.Last > 0 && s.m.at/8 == at/8 {
		s.part.GiveUp()
	}
}

// isOver reports whether the part ends before a packet. This is so if it has read too far beyond
// its end without selected events.
func (s *Stream) isOver() bool {
	p := s.part
	if p == nil || !p.started || p.Last == 0 || s.class.clock.nanoseconds(s.pk.begin) < p.Last ||
		p.Over(int64(s.pk.content/8)) {
		return false
	}
	p.EndAt(record.AtEnd)
	return true
}

package ctf

import (
	"cmp"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tracec/tracec/runtime/record"
)

// chain is a stream: one file, or several files with the packets of one stream, as in a rotated
// session (docs/spec/ctf.md 6.3).
type chain struct {
	files     []*File
	identity  identity
	list      []packetRef // of several files; nil for one file, whose packets are consecutive
	known     []packetRef // where parts may begin: list, or packets of one file; nil until slices need them
	index     int32       // in Recording.chains
	lostAtEnd atomic.Int64
	listing   sync.Once // guards the setting of known
}

// packetRef is a packet of a chain.
type packetRef struct {
	file       *File
	offset     int64
	begin, end uint64 // in cycles
	seq        uint64
	size       int64  // in bytes
	time       uint64 // of begin
	last       uint64 // time of end; not less than time
	// idle reports that the packet has no event, and that nothing was lost since the previous
	// packet of the file.
	idle bool
}

const refBytes = int64(unsafe.Sizeof(packetRef{}))

// surveyWindow is the number of bytes read at once if only headers of packets are needed.
const surveyWindow = headBytes

// smallPacket is a size in bytes. Reading all of smaller packets takes less time than reading each
// header separately.
const smallPacket = 8 << 10

// compare orders packets by time. Packets of one time keep the order of their files. A packet that
// was copied before its end was known comes after complete packets.
func (p packetRef) compare(q packetRef) int {
	open := func(p packetRef) int {
		if p.end == 0 {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(p.begin, q.begin), cmp.Compare(p.seq, q.seq), cmp.Compare(open(p), open(q)),
		cmp.Compare(p.file.index, q.file.index), cmp.Compare(p.offset, q.offset))
}

// same reports whether two packets are copies of one packet. This happens in two snapshots. It also
// happens in the buffers of a crash, where the packet was still open, and a later snapshot.
func (p packetRef) same(q packetRef) bool {
	return p.file != q.file && p.begin == q.begin && p.seq == q.seq &&
		(p.end == q.end && p.size == q.size || (p.end == 0) != (q.end == 0) && p.begin > 0)
}

// follows reports whether a packet comes directly after another one in a file.
func (p *packetRef) follows(before *packetRef) bool {
	return p.file == before.file && p.offset == before.offset+before.size
}

func (c *chain) size() (sum int64) {
	for _, f := range c.files {
		sum += f.Size
	}
	return sum
}

// link makes the chains of the recording, in the order of their events at equal times.
func (r *Recording) link() {
	known, names, number := map[identity]*chain{}, r.traceNames(), uint64(0)
	for i, f := range r.files {
		if number++; i == 0 || f.trace != r.files[i-1].trace {
			number = 0
		}
		id := identity{space: f.trace.Namespace(), name: names[f.trace], uuid: f.trace.uid(), number: number}
		ok := r.identify(f, &id)
		key := identity{uuid: id.uuid, class: id.class, number: id.number}
		if c := known[key]; ok && c != nil {
			c.files = append(c.files, f)
			continue
		}
		c := &chain{files: []*File{f}, identity: id}
		if r.chains = append(r.chains, c); ok {
			known[key] = c
		}
	}
	var all []*chain
	for _, c := range r.chains {
		all = append(all, c)
		if len(c.files) == 1 {
			continue
		}
		if c.list = r.listAll(c); c.list == nil { // packets cannot be sorted: each file is a stream
			for _, f := range c.files[1:] {
				all = append(all, &chain{files: []*File{f}, identity: c.identity})
			}
			c.files = c.files[:1]
		}
	}
	r.chains = all
	r.sortStreams(identity.compare)
}

// surveyor returns a stream of a file that reports no damage.
func (r *Recording) surveyor(f *File) *Stream {
	s := r.stream(&chain{files: []*File{f}}, &record.Options{})
	s.harm.quiet, s.win.most = true, surveyWindow
	return s
}

// listAll lists the packets of a chain in the order of time, without duplicates. It returns nil if
// the packets of a file cannot be listed.
func (r *Recording) listAll(c *chain) (all []packetRef) {
	for _, f := range c.files {
		list := r.packets(f)
		if list == nil {
			return nil
		}
		all = append(all, list...)
	}
	slices.SortFunc(all, packetRef.compare)
	return slices.CompactFunc(all, packetRef.same)
}

// packets lists the packets of a file. It returns nil if they are damaged or not in the order of
// time, if they do not have the time of their beginning, or if they are too many for the memory.
func (r *Recording) packets(f *File) []packetRef { return r.somePackets(f, 0) }

// nextListed moves to the next packet of the list.
func (s *Stream) nextListed() error {
	if s.packets.at == len(s.packets.list) {
		return io.EOF
	}
	p := &s.packets.list[s.packets.at]
	if p.file != s.file {
		if len(s.made.records) > 0 {
			return errWait
		}
		if err := s.openFile(p.file); err != nil {
			return err
		}
	}
	s.pk.offset = p.offset
	return nil
}

// passIdle moves from the next packet, if it is idle, to the last of several consecutive idle
// packets. Otherwise a part would read all of them in search of its end. The counters are reset,
// because nothing was lost up to that packet.
func (s *Stream) passIdle() {
	known, first := s.chain.known, s.packets.at
	if s.packets.list == nil {
		for first = s.packets.near; first < len(known) && known[first].offset < s.pk.offset; first++ {
		}
		if s.packets.near = first; first == len(known) || known[first].offset > s.pk.offset {
			return
		}
	}
	last := first
	for last < len(known) && known[last].idle && (last == 0 || known[last].follows(&known[last-1])) {
		last++
	}
	if last--; last <= first {
		return
	}
	s.pk.counts = counters{}
	if s.packets.list == nil {
		s.pk.offset, s.packets.near = known[last].offset, last
	} else {
		s.packets.at = last
	}
}

// passes reports whether the packet is outside of the time window.
func (s *Stream) passes() bool {
	if s.packets.since == 0 && s.packets.until == 0 || !s.pk.timed {
		return false
	}
	k := &s.class.clock
	if s.packets.until > 0 && !s.file.trace.lateBegins && k.nanoseconds(s.pk.begin) >= s.packets.until {
		return true
	}
	return !s.file.trace.lateEnds && s.pk.end >= s.pk.begin && s.pk.end > 0 && k.nanoseconds(s.pk.end) < s.packets.since
}

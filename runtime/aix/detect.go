package aix

import (
	"bytes"
	"encoding/binary"
	"math"
)

// Detect returns the kind of a file that begins with head. 64 KiB are enough. A file is recognized
// by its magic number. The stream of a 32-bit kernel has no magic number. It is recognized by eight
// plausible entries in sequence, or by all entries if there are fewer. A file with a damaged
// beginning is recognized by the bytes after it.
func Detect(head []byte) Kind { return detect(head, MaxBuffer) }

// HasMagic reports whether a file begins with the magic number of a kind that has one.
func HasMagic(head []byte) bool {
	for _, k := range []Kind{Stream64, Log64, Log32, LogOld} {
		if differ(head, k.Magic()) == 0 {
			return true
		}
	}
	return false
}

func detect(head []byte, maxBuffer int) Kind {
	f32, f64 := form{maxBuffer: maxBuffer}, form{is64: true, maxBuffer: maxBuffer}
	looks := func(k Kind) bool {
		if k == Stream64 {
			return f64.entries(head[4:])
		}
		return logLike(head, k)
	}
	claimed, near := KindUnknown, KindUnknown
	for _, k := range []Kind{Stream64, Log64, Log32, LogOld} {
		switch wrong := differ(head, k.Magic()); {
		case wrong == 0 && (looks(k) || k == Stream64 && (f64.begins(head[4:]) || damaged(head[4:], f64))):
			return k
		case wrong == 0:
			claimed = k
		case wrong == 1 && near == KindUnknown && looks(k):
			near = k
		}
	}
	switch {
	case near != KindUnknown: // even if the magic number is of another kind: the two differ in one byte
		return near
	case claimed != KindUnknown:
		return claimed
	case !uniform(head) && (f32.entries(head) || damaged(head, f32)):
		return Stream32
	}
	return KindUnknown
}

// uniform reports whether b begins with repetitions of one byte.
func uniform(b []byte) bool {
	b = b[:min(len(b), 256)]
	return len(b) > 8 && bytes.Count(b, b[:1]) == len(b)
}

// detected is the number of entries by which a stream without a magic number is recognized.
// cutEntries is the minimum number of entries before an incomplete one.
const (
	detected   = 8
	cutEntries = 3
)

// entries reports whether b begins with that many entries, or consists of fewer.
func (f *form) entries(b []byte) bool {
	first := f.follow(b, true)
	strange := first.strange || !first.rising
	for n := range detected {
		if len(b) < f.step() {
			return n > 0 && len(b) == 0 || n >= cutEntries && !strange
		}
		h, ok := f.parse(b)
		switch {
		case !ok || h.id == 0:
			return false
		case int(h.size) > len(b):
			return n >= cutEntries && !strange
		case !f.threadLike(b, &h):
			return false
		}
		b = b[h.size:]
	}
	return true
}

// begins reports whether b begins with an entry. This is enough after an exact magic number,
// because damage may follow.
func (f *form) begins(b []byte) bool {
	if len(b) < f.step() {
		return false
	}
	h, ok := f.parse(b)
	return ok && h.id != 0 && int(h.size) <= len(b) && f.threadLike(b, &h)
}

// threadLike rejects thread ids of a 32-bit kernel that are too large: they are indices into a
// table. It distinguishes traces from texts, whose characters form numbers above 2^29.
func (f *form) threadLike(b []byte, h *head) bool {
	if f.is64 {
		return f.tidPlausible(b, h)
	}
	tid := binary.BigEndian.Uint32(b[h.tid:])
	return tid < 1<<28 || tid == math.MaxUint32
}

// The evidence for a stream of bytes that contains damage: most of the bytes are entries, of
// threads that mostly occur several times, with stamps in order. If there are few bytes, half of
// them are enough with as much evidence.
const (
	damagedHead = 16 << 10 // number of bytes examined
	damagedFew  = 4 << 10  // a small number of bytes
)

// damaged reports whether b consists mostly of entries of a busy system, with some damage. Text and
// machine code contain some entries by chance, but not three quarters of their bytes.
func damaged(b []byte, f form) bool {
	b = b[:min(len(b), damagedHead)]
	src := &source{size: int64(len(b)), r: bytesAt(b)}
	rec := newRecording(newConfig([]Option{WithMaxBuffer(f.maxBuffer)}))
	s := rec.stream(&part{
		file: &File{Kind: Stream32, CPU: -1}, src: src, form: f,
		regions: []region{{end: src.size, buffer: -1}},
	})
	s.gap.probing = true
	var c census
	for {
		batch, err := s.Next()
		if err != nil {
			break
		}
		for i := range batch.Entries {
			c.count(&s.past.form, batch.Entries[i].Raw)
		}
	}
	switch {
	case c.size >= len(b)/4*3:
		return c.steady > c.entries/16 || c.again >= max(8, c.entries/2)
	case len(b) <= damagedFew:
		return c.size >= len(b)/2 && c.steady >= 2
	}
	return false
}

// census counts possible entries of one busy trace.
type census struct {
	entries int
	steady  int // entries with the thread of the previous entry and a stamp soon after it
	again   int // entries of a thread seen before; its number is longer than a byte and not a repeated word
	size    int // size of all entries in bytes
	tid     uint64
	before  hint
	threads threads
}

func (c *census) count(f *form, raw []byte) {
	h, _ := f.parse(raw)
	good := h.id != 0 && f.threadLike(raw, &h)
	tid := h.thread(raw)
	if h.flags&Stamped != 0 {
		t := f.tick(raw, &h)
		if c.before.known {
			good = good && f.follows(c.before.ticks, t)
			if d := f.since(c.before.ticks, t); good && tid == c.tid && tid != 0 && d > 0 && d < leastAhead {
				c.steady++
			}
		}
		c.before = hint{t, true}
	}
	c.tid = tid
	if *c.threads.place(tid) == tid && tid > 0xFF && good && uint32(tid) != binary.BigEndian.Uint32(raw) {
		c.again++
	}
	*c.threads.place(tid) = tid
	if good {
		c.entries++
		c.size += len(raw)
	}
}

// differ returns the number of bytes in which the magic number differs.
func differ(head []byte, magic uint32) (n int) {
	if len(head) < 4 {
		return 4
	}
	for d := binary.BigEndian.Uint32(head) ^ magic; d != 0; d >>= 8 {
		if d&0xFF != 0 {
			n++
		}
	}
	return n
}

// logLike reports whether the head of a log file is plausible: most of the areas that it declares
// as not empty come after it.
func logLike(head []byte, kind Kind) bool {
	size, entry := logHead32, logEntry32
	if kind.Is64() {
		size, entry = logHead64, logEntry64
	}
	if len(head) < size {
		return false
	}
	end := int64(size) + int64(binary.BigEndian.Uint32(head[4:]))*int64(entry)
	lowest := int64(len(head)) // of the data: every directory ends before it, for any count
	good, all := 0, 0
	for at := int64(size - entry); at < end && at+int64(entry) <= lowest; at += int64(entry) {
		e := extent(head[at:], kind)
		if e.Size == 0 {
			continue
		}
		all++
		if e.Offset >= int64(size) && e.Offset < 1<<40 && e.Size > 0 && e.Size < 1<<40 {
			good++
			lowest = min(lowest, e.Offset)
		}
	}
	return 2*good > all
}

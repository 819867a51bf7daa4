package aix

import (
	"encoding/binary"
	"math"
)

// Detect says what a file is that begins with head, of which 64 KiB are enough: by its magic number or, for the
// stream of a 32-bit kernel, which has none, by plausible entries that follow each other: eight, or as many as
// there are. A file with a damaged beginning is recognised by what follows.
func Detect(head []byte) Kind { return detect(head, MaxBuffer) }

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
		case wrong == 0 && (looks(k) || k == Stream64 && f64.begins(head[4:])):
			return k
		case wrong == 0:
			claimed = k
		case wrong == 1 && near == KindUnknown && looks(k):
			near = k
		}
	}
	switch {
	case near != KindUnknown: // also when the magic number is of another kind, from which it differs in a byte
		return near
	case claimed != KindUnknown:
		return claimed
	case f32.entries(head) || damaged(head, maxBuffer):
		return Stream32
	}
	return KindUnknown
}

// detected is how many entries make a stream without a magic number, and cutEntries how many there must be before one
// that lacks its end.
const (
	detected   = 8
	cutEntries = 3
)

// entries says that b begins with as many, or has fewer but nothing else.
func (f *form) entries(b []byte) bool {
	strange := f.follow(b, true).strange
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

// begins says that b begins with one entry: enough behind an exact magic number, damage may follow.
func (f *form) begins(b []byte) bool {
	if len(b) < f.step() {
		return false
	}
	h, ok := f.parse(b)
	return ok && h.id != 0 && int(h.size) <= len(b) && f.threadLike(b, &h)
}

// threadLike refuses thread ids of a 32-bit kernel that are too large for one: they are indices into a table. It tells
// traces from texts, whose characters make numbers above 2^29.
func (f *form) threadLike(b []byte, h *head) bool {
	if f.is64 {
		return f.tidPlausible(b, h)
	}
	tid := binary.BigEndian.Uint32(b[h.tid:])
	return tid < 1<<28 || tid == math.MaxUint32
}

// damaged says that head is mostly entries of a 32-bit stream of a busy system, though something at its beginning is wrong.
// Text and machine code lead to some entries by chance, but not to three quarters of it.
func damaged(head []byte, maxBuffer int) bool {
	head = head[:min(len(head), 16<<10)]
	src := &source{size: int64(len(head)), r: bytesAt(head)}
	rec := newRecording(newConfig([]Option{WithMaxBuffer(maxBuffer)}))
	s := rec.stream(&part{
		file: &File{Kind: Stream32, CPU: -1}, src: src, form: rec.config.form(false),
		regions: []region{{end: src.size, buffer: -1}},
	})
	s.mute = true
	n, size := 0, 0
	var before clue
	for {
		if _, err := s.Next(); err != nil {
			break
		}
		n += s.n
		for i := range s.Entries() {
			e := &s.entries[i]
			h, _ := s.form.parse(e.Raw)
			good := h.id != 0 && s.form.threadLike(e.Raw, &h)
			if h.flags&Stamped != 0 {
				t := s.form.tick(e.Raw, &h)
				good = good && (!before.known || s.form.follows(before.ticks, t))
				before = clue{t, true}
			}
			if good {
				size += len(e.Raw)
			}
		}
	}
	return n > 1 && size >= len(head)/4*3
}

// differ is in how many bytes the magic number differs.
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

// logLike says that the head of a log file makes sense: most of what it says is not empty lies behind it.
func logLike(head []byte, kind Kind) bool {
	size, entry := logHead32, logEntry32
	if kind.Is64() {
		size, entry = logHead64, logEntry64
	}
	if len(head) < size {
		return false
	}
	end := int64(size) + int64(binary.BigEndian.Uint32(head[4:]))*int64(entry)
	lowest := int64(len(head)) // of the data: no directory is behind it, whatever the count says
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

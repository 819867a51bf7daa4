package aix

import "encoding/binary"

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
		case wrong == 0 && looks(k):
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

// detected is how many entries make a stream without a magic number.
const detected = 8

// entries says that b begins with as many, or has fewer but nothing else. The last may lack its end when it is
// not the only one.
func (f *form) entries(b []byte) bool {
	for n := 0; n < detected; n++ {
		if n > 0 && len(b) < f.step() {
			return true
		}
		if c := f.follow(b, true); c.strange || c.entries == 0 && n == 0 || !c.full && !c.end && !c.cut {
			return false
		}
		h, _ := f.parse(b)
		if int(h.size) >= len(b) {
			return true
		}
		b = b[h.size:]
	}
	return true
}

// damaged says that head is mostly entries of a 32-bit stream, eight at least, though something at its beginning is
// wrong; or that it is nothing but entries, of which one has no id. Text and machine code lead to some entries by chance, but not to three quarters of it.
func damaged(head []byte, maxBuffer int) bool {
	head = head[:min(len(head), 16<<10)]
	src := &source{size: int64(len(head)), r: bytesAt(head)}
	rec := &Recording{config: newConfig([]Option{WithMaxBuffer(maxBuffer)})}
	s := rec.stream(&part{
		file: &File{Kind: Stream32, CPU: -1}, src: src, form: rec.config.form(false),
		regions: []region{{end: src.size, buffer: -1}},
	})
	s.mute = true
	n, size := 0, 0
	for {
		if _, err := s.Next(); err != nil {
			break
		}
		n += s.n
		for i := range s.Entries() {
			size += len(s.entries[i].Raw)
		}
	}
	return n >= detected && size >= len(head)/4*3 || n > 1 && size == len(head)
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

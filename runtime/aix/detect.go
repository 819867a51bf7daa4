package aix

import "encoding/binary"

// Detect says what a file is that begins with head, of which 64 KiB are enough: by its magic number or, for the
// stream of a 32-bit kernel, which has none, by plausible entries that follow each other: eight, or as many as
// there are. A file with a damaged beginning is recognised by what follows.
func Detect(head []byte) Kind { return detect(head, MaxBuffer) }

func detect(head []byte, maxBuffer int) Kind {
	if len(head) >= 4 {
		switch binary.BigEndian.Uint32(head) {
		case MagicLogOld:
			return LogOld
		case MagicLog32:
			return Log32
		case MagicLog64:
			return Log64
		case MagicStream64:
			return Stream64
		}
	}
	f32, f64 := form{maxBuffer: maxBuffer}, form{is64: true, maxBuffer: maxBuffer}
	switch {
	case nearly(head, MagicStream64) && f64.entries(head[4:]):
		return Stream64
	case nearly(head, MagicLog64) && logLike(head, Log64):
		return Log64
	case nearly(head, MagicLog32) && logLike(head, Log32):
		return Log32
	case f32.entries(head):
		return Stream32
	}
	if damaged(head, maxBuffer) {
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
// wrong. Text and machine code lead to some entries by chance, but not to three quarters of it.
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
	return n >= detected && size >= len(head)/4*3
}

// nearly says that no more than one byte of a magic number is damaged.
func nearly(head []byte, magic uint32) bool {
	if len(head) < 4 {
		return false
	}
	d, wrong := binary.BigEndian.Uint32(head)^magic, 0
	for ; d != 0; d >>= 8 {
		if d&0xFF != 0 {
			wrong++
		}
	}
	return wrong <= 1
}

// logLike says that the head of a log file makes sense: its initial conditions or its first buffer begin
// right behind the directory.
func logLike(head []byte, kind Kind) bool {
	size, entry := logHead32, logEntry32
	if kind.Is64() {
		size, entry = logHead64, logEntry64
	}
	if len(head) < size {
		return false
	}
	count := int64(binary.BigEndian.Uint32(head[4:]))
	end := int64(size) + count*int64(entry)
	if count > maxBuffers || end > int64(len(head)) {
		return false
	}
	initial := extent(head[size-entry:], kind)
	if initial.Size == 0 && count > 0 {
		initial = extent(head[size:], kind)
	}
	return initial.Offset >= end && initial.Offset < end+4096
}

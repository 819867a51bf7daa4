package ftrace

import (
	"fmt"
)

// A section is a part of a version 7 file: a header of 16 bytes (id, flags, description, size) and
// its contents.
type section struct {
	at     int64 // of the header in the file
	packed bool
	body   *cursor
	held   int64 // bytes of memory until the section is closed
}

// MaxSection bounds the unpacked size of a compressed section. The kallsyms of a large kernel
// has 20 MB.
const MaxSection = 64 << 20

const (
	noSection = 0 // offset of the first options section while the recorder has not written it
	// maxOptionSections bounds the chain of options; each buffer adds one.
	maxOptionSections = 1 << 16
)

func (r *Recording) openV7(c *cursor) error {
	r.info.Compression = c.zstring(64, "name of the compression")
	r.info.CompressionVersion = c.zstring(64, "version of the compression")
	at := c.off
	first := int64(c.u64("offset of the first options section"))
	if c.err != nil {
		return c.err
	}
	r.led.first = c.off
	var err error
	if r.codec, err = newCodec(r.info.Compression); err != nil {
		return c.src.fail(at, "a known compression", err)
	}
	if first == noSection {
		r.damage.Add(c.src.fail(at, "the offset of the options section, which the recorder writes at its end",
			ErrTruncated), 0)
	}
	r.optionChain(c.src, first)
	if r.layout.word == 0 {
		return c.src.fail(first, "an option with the place of a usable header_page and header_event",
			r.headerTrouble())
	}
	if len(r.buffers) == 0 && len(r.formats) == 0 {
		return c.src.fail(c.src.size, "an option that leads to a buffer", r.bufferTrouble())
	}
	r.settleTop()
	return nil
}

// bufferTrouble returns the reason why there is no buffer. This is the last part that could not be
// read, because options of buffers come last, or an early end of the file.
func (r *Recording) bufferTrouble() error {
	if _, last := r.damage.Ends(); last != nil {
		return last
	}
	return ErrTruncated
}

// headerTrouble returns the error of the section of the headers, if it was found.
func (r *Recording) headerTrouble() error {
	if first, _ := r.damage.Ends(); first != nil {
		return first
	}
	return ErrCorrupt
}

// settleTop puts the top buffer, which has no name, before the instances. If the recorder did not
// write it, it is empty.
func (r *Recording) settleTop() {
	top := -1
	for i, b := range r.buffers {
		if b.Name == "" {
			top = i
			break
		}
	}
	if top < 0 {
		return
	}
	b := r.buffers[top]
	copy(r.buffers[1:top+1], r.buffers[:top])
	r.buffers[0] = b
	r.info.TraceClock = b.Clock
	if b.PageSize > 0 {
		r.info.PageSize = b.PageSize
	}
}

// optionChain follows the options sections. If the chain is broken, this is damage, and sections
// are searched for.
func (r *Recording) optionChain(src *source, off int64) {
	seen := map[int64]bool{}
	for off != noSection && len(seen) < maxOptionSections {
		if off < 0 {
			r.damage.Add(src.fail(max(0, r.led.first-8), "the offset of the first options section", ErrCorrupt), 0)
			break
		}
		if seen[off] {
			r.damage.Add(src.fail(off, "an end of the chain of options sections", ErrCorrupt), 0)
			break
		}
		if _, ok := r.header(src, off); !ok && off < src.size { // bytes lost or added: these could pass for options
			r.damage.Add(src.fail(off, "a section of options", ErrCorrupt), 0)
			break
		}
		s, err := r.openSection(src, off, OptionDone)
		if err == nil {
			seen[off] = true
			off, err = r.optionsV7(src, s.body)
			r.close(s)
		}
		if err != nil {
			r.damage.Add(asDamage(src, off, err), 0)
			break
		}
	}
	if len(r.buffers) == 0 && r.damage.Stats().Count == 0 {
		r.damage.Add(src.fail(src.size, "an option that leads to a buffer", ErrTruncated), 0)
	}
	if r.damage.Stats().Count > 0 {
		r.salvage(src, seen)
	}
}

func asDamage(src *source, off int64, err error) *Damage {
	if d, ok := err.(*Damage); ok {
		return d
	}
	return src.fail(off, "a section", err)
}

// optionsV7 reads one options section and returns the offset of the next one.
func (r *Recording) optionsV7(src *source, c *cursor) (next int64, err error) {
	for c.err == nil && c.left() > 0 {
		id := c.u16("option id")
		size := int64(c.u32("size of option"))
		if c.err != nil {
			break
		}
		at := c.off
		if id == OptionDone {
			next = c.size64("offset of the next options section")
			return next, c.failure()
		}
		p := r.option(id, c.src, at, size)
		c.skipTo(at+size, id)
		if c.err != nil {
			break
		}
		r.optionV7(src, id, p)
		r.note(p)
	}
	if c.err == nil {
		c.fail("the option that ends the section", ErrCorrupt)
	}
	return 0, c.err
}

// optionV7 handles the options that lead to sections. An error loses only this section.
func (r *Recording) optionV7(src *source, id uint16, p *cursor) {
	switch id {
	case OptionBuffer:
		r.bufferV7(src, p)
		return
	case OptionBufferText:
		r.bufferText(src, p)
		return
	case OptionCPUCount:
		if p.end == 4 {
			if n := int(p.u32("number of CPUs")); n <= maxCPUs {
				r.info.CPUs = max(r.info.CPUs, n)
			}
		}
		return
	case OptionHeaderInfo, OptionFtraceEvents, OptionEventFormats, OptionKallsyms, OptionPrintk, OptionCmdlines,
		OptionModules, OptionBTF:
	default:
		return
	}
	off := p.size64("offset of a section")
	if p.err == nil {
		r.metadata(src, id, off)
	}
}

// metadata reads a section, or notes its place until it is needed.
func (r *Recording) metadata(src *source, id uint16, off int64) {
	if r.led.led == nil {
		r.led.led = map[uint16]bool{}
	}
	r.led.led[id] = true
	later := func(wide bool, want string) func() (string, error) {
		return func() (string, error) { return r.sectionText(src, off, id, wide, want) }
	}
	if r.led.measuring {
		s, err := r.section(src, off, id)
		if err != nil {
			r.damage.Add(asDamage(src, off, err), int64(id))
			return
		}
		r.close(s)
	}
	switch id {
	case OptionKallsyms:
		r.texts.kallsyms = later(false, "kallsyms")
		return
	case OptionPrintk:
		r.texts.printk = later(false, "printk formats")
		return
	case OptionCmdlines:
		r.texts.cmdlines = later(true, "saved command lines")
		return
	case OptionBTF:
		r.texts.btf = func() (string, error) {
			s, err := r.section(src, off, id)
			if err != nil {
				return "", err
			}
			defer r.close(s)
			return r.textAt(s.body, s.body.left(), "type information")
		}
		return
	}
	s, err := r.openSection(src, off, id)
	if err == nil {
		switch id {
		case OptionHeaderInfo:
			err = r.headerInfo(s.body)
		case OptionFtraceEvents:
			r.ftraceFormats(s.body)
			err = s.body.failure()
		case OptionEventFormats:
			r.eventFormats(s.body)
			err = s.body.failure()
		case OptionModules:
			if err = r.charge(s.body.left()); err == nil {
				r.info.Modules = s.body.rest("list of modules")
			}
		}
		r.close(s)
	}
	if err != nil {
		r.damage.Add(asDamage(src, off, err), int64(id))
	}
}

// sectionText fetches a section that consists of a size and a text. The size has 8 bytes if wide is
// set.
func (r *Recording) sectionText(src *source, off int64, id uint16, wide bool, want string) (string, error) {
	s, err := r.section(src, off, id)
	if err != nil {
		return "", err
	}
	defer r.close(s)
	var n int64
	if wide {
		n = s.body.size64("size of " + want)
	} else {
		n = int64(s.body.u32("size of " + want))
	}
	return r.textAt(s.body, n, want)
}

// openSection is section while the recording is being opened, when all memory is counted.
func (r *Recording) openSection(src *source, off int64, want uint16) (*section, error) {
	s, err := r.section(src, off, want)
	if err == nil {
		r.pool.meta += s.body.left() // a section may be named any number of times
		if err := r.charge(0); err != nil {
			r.close(s)
			return nil, src.fail(off, "metadata", err)
		}
	}
	return s, err
}

// close frees the memory of an unpacked section.
func (r *Recording) close(s *section) {
	r.memory.Give(s.held)
	s.held = 0
}

// section reads the header at off and unpacks the contents if necessary. If a section of metadata
// or of a buffer is not at its offset, it is searched for.
func (r *Recording) section(src *source, off int64, want uint16) (*section, error) {
	c, flags, err := r.sectionHead(src, off, want)
	// No recorder sets other flags. At the end of a size, 3 may be the id of a buffer.
	if (err != nil || flags > 1 || r.led.searching && !r.led.isFound(off)) && want != OptionDone {
		if at, ok := r.displaced(src, off, want); ok && at != off {
			if err == nil {
				err = src.fail(off, fmt.Sprintf("section %d", want), fmt.Errorf("%w: it is at %d", ErrCorrupt, at))
			}
			r.damage.Add(asDamage(src, off, err), int64(want))
			off = at
			c, flags, err = r.sectionHead(src, off, want)
		}
	}
	if err != nil {
		return nil, err
	}
	s := &section{at: off, packed: flags&1 != 0}
	if want == OptionBuffer {
		return s, nil // it has the size of the CPU data, which is not needed here
	}
	if err := r.content(s, c, want); err != nil {
		return nil, err
	}
	return s, nil
}

// sectionHead reads the header of a section. The cursor is then before the size.
func (r *Recording) sectionHead(src *source, off int64, want uint16) (*cursor, uint16, error) {
	c := newCursor(src, r.order, 0)
	c.seek(off, fmt.Sprintf("section %d", want))
	id, flags := c.u16("section id"), c.u16("flags of a section")
	c.u32("description of a section")
	if c.err != nil {
		return nil, 0, c.err
	}
	if id != want {
		return nil, 0, src.fail(off, fmt.Sprintf("section %d", want), fmt.Errorf("%w: section %d", ErrCorrupt, id))
	}
	return c, flags, nil
}

// content finds the contents of a section. c is before the size. If the size cannot be right, the
// contents must determine their end.
func (r *Recording) content(s *section, c *cursor, id uint16) error {
	src, at := c.src, c.off
	size := int64(c.u64("size of a section"))
	if c.err != nil {
		return c.err
	}
	if size < 0 || size > c.left() {
		r.damage.Add(src.fail(at, fmt.Sprintf("a section of %d bytes", uint64(size)), ErrTruncated), int64(id))
		size = c.left()
		for _, f := range r.search(src) {
			if f.off == s.at {
				size = min(size, f.size)
			}
		}
	}
	c.end = c.off + size
	s.body = c
	r.led.claims(c.end)
	if !s.packed || id == OptionBufferText { // packed in chunks, whose sizes lead from one to the next
		return nil
	}
	packed, plain := int64(c.u32("packed size")), int64(c.u32("plain size"))
	data, err := r.unpackAt(c, packed, plain)
	if err != nil {
		return err
	}
	s.held = plain
	body := &source{name: src.name, data: data, size: plain, base: s.at, packed: true}
	s.body = newCursor(body, r.order, 0)
	return nil
}

// unpackAt checks the sizes and unpacks the data at c. The plain bytes are taken from the
// recording's memory.
func (r *Recording) unpackAt(c *cursor, packed, plain int64) ([]byte, error) {
	at := c.off
	if r.codec == nil {
		return nil, c.src.fail(at, "uncompressed data, according to the file's header", ErrCorrupt)
	}
	if err := checkSizes(packed, plain, MaxSection); err != nil {
		return nil, c.src.fail(at, "sizes of compressed data", err)
	}
	if packed > c.left() {
		c.take(packed, "compressed data")
		return nil, c.failure()
	}
	if err := r.memory.Take(packed + plain); err != nil {
		return nil, c.src.fail(at, fmt.Sprintf("memory for a section of %d bytes that unpacks to %d", packed, plain),
			err)
	}
	defer r.memory.Give(packed)
	data := c.take(packed, "compressed data")
	if c.err != nil {
		r.memory.Give(plain)
		return nil, c.err
	}
	out, err := r.codec.unpack(make([]byte, 0, plain), data, int(plain))
	if err != nil {
		r.memory.Give(plain)
		return nil, c.src.fail(at, fmt.Sprintf("compressed data of %d bytes", plain),
			fmt.Errorf("%w: %w", ErrCorrupt, err))
	}
	return out, nil
}

// bufferV7 reads a buffer's table (option 3 of ftrace.md 1.4).
func (r *Recording) bufferV7(src *source, c *cursor) {
	off := c.size64("offset of the buffer")
	b := &Buffer{Name: c.zstring(c.left(), "name of the buffer"), Clock: clockName(c.zstring(c.left(), "clock"))}
	b.PageSize = int(c.u32("page size of the buffer"))
	n := int64(c.u32("number of CPUs"))
	if c.err != nil {
		return
	}
	if !validPageSize(b.PageSize) {
		c.fail("a page size", fmt.Errorf("%w: %d", ErrCorrupt, b.PageSize))
		return
	}
	if n*20 > c.left() {
		c.fail("as many CPUs as counted", ErrCorrupt)
		n = c.left() / 20
		r.note(c)
		c.err = nil
	}
	for i := int64(0); i < n; i++ {
		id := c.u32("CPU")
		cpu := r.cpuData(c, int(id&(maxCPUs-1)))
		if cpu.src = src; id >= maxCPUs {
			c.fail("the number of a CPU", fmt.Errorf("%w: %d", ErrCorrupt, id))
			r.note(c)
			c.err = nil
			continue
		}
		r.info.CPUs = max(r.info.CPUs, cpu.ID+1)
		b.CPUs = append(b.CPUs, cpu)
	}
	b.packed = r.codec != nil
	if s, err := r.section(src, off, OptionBuffer); err != nil {
		r.damage.Add(asDamage(src, off, err), 0) // the table is enough to continue
	} else {
		b.packed = s.packed
		b.moved = s.at - off
		off = s.at
	}
	r.led.claims(off + sectionHeader)
	r.led.ledBuffers = append(r.led.ledBuffers, off)
	r.buffers = append(r.buffers, b)
}

// bufferText reads the text of a latency tracer (option 22).
func (r *Recording) bufferText(src *source, c *cursor) {
	off := c.size64("offset of the buffer")
	b := &Buffer{Name: c.zstring(c.left(), "name of the buffer"), PageSize: r.info.PageSize}
	if c.left() > 0 {
		b.Clock = clockName(c.zstring(c.left(), "clock"))
	}
	if c.err != nil {
		return
	}
	r.textBuffer(src, off, b)
}

// textBuffer adds a buffer with the text in the section at off.
func (r *Recording) textBuffer(src *source, off int64, b *Buffer) {
	s, err := r.section(src, off, OptionBufferText)
	if err == nil && s.packed && r.codec == nil {
		err = src.fail(off, "an uncompressed text, according to the file's header", ErrCorrupt)
	}
	if err != nil {
		r.damage.Add(asDamage(src, off, err), 0)
		return
	}
	r.led.ledBuffers = append(r.led.ledBuffers, s.at)
	b.text, b.packed = s.body, s.packed
	r.buffers = append(r.buffers, b)
}

package ftrace

import (
	"fmt"
	"slices"
	"strings"
)

// openV6 reads the blocks of version 6 in their order (ftrace.md 1.2).
func (r *Recording) openV6(c *cursor) error {
	metadata, err := r.descriptions(c, true)
	if err != nil {
		return err
	}
	if c.err == nil && !r.tagFollows(c) {
		c.fail("the number of CPUs and a tag", ErrCorrupt)
	}
	if c.err != nil {
		r.afterDamage(c, metadata)
	}
	return r.recorded(c)
}

// descriptions reads the parts of version 6 that describe events: from the header info to the saved
// command lines, which versions before 0.6 do not have. metadata is the offset of the formats.
func (r *Recording) descriptions(c *cursor, cmdlines bool) (metadata int64, err error) {
	r.led.part(c, OptionHeaderInfo, func() { err = r.headerInfo(c) })
	if err != nil {
		return 0, err
	}
	metadata = c.off
	r.led.part(c, OptionFtraceEvents, func() { r.ftraceFormats(c) })
	r.led.part(c, OptionEventFormats, func() { r.eventFormats(c) })
	r.led.part(c, OptionKallsyms, func() {
		r.texts.kallsyms = r.laterText(c, int64(c.u32("size of kallsyms")),
			"kallsyms")
	})
	r.led.part(c, OptionPrintk, func() {
		r.texts.printk = r.laterText(c, int64(c.u32("size of printk formats")),
			"printk formats")
	})
	if cmdlines {
		r.led.part(c, OptionCmdlines, func() {
			r.texts.cmdlines = r.laterText(c, c.size64("size of saved command lines"), "saved command lines")
		})
	}
	return metadata, nil
}

// recorded reads the parts after the descriptions: the options, and the places of the data of
// processors.
func (r *Recording) recorded(c *cursor) error {
	count := cpuCount{at: c.off}
	count.n = int64(c.u32("number of CPUs"))
	tag := c.tag()
	var instances []*v6Instance
	var clock bool
	if tag == "options" {
		instances, clock = r.optionsV6(c, count)
		if r.lostTag(c) {
			r.damage.Add(c.src.fail(c.off, "the tag flyrecord or latency", ErrCorrupt), 0)
		}
		tag = c.tag()
	}
	if c.err != nil {
		return c.err
	}
	top := &Buffer{PageSize: r.info.PageSize, Clock: r.info.TraceClock}
	if err := r.bufferV6(c, top, tag, count, clock); err != nil {
		return err
	}
	if r.info.CPUs = len(top.CPUs); top.text != nil {
		r.info.CPUs = int(min(count.n, maxCPUs))
	}
	if top.Clock != "" {
		r.info.TraceClock = top.Clock
	}
	r.buffers = append(r.buffers, top)
	for _, in := range instances {
		b := &Buffer{Name: in.name, PageSize: r.info.PageSize}
		if in.cpus.at == count.at && top.text == nil {
			in.cpus.n = int64(len(top.CPUs))
		}
		n := r.instance(c.src, in, b)
		err := r.bufferV6(n, b, n.tag(), in.cpus, clock)
		if err != nil {
			r.note(n) // one broken instance does not hide the rest
			continue
		}
		r.buffers = append(r.buffers, b)
	}
	return nil
}

// tagFollows reports whether a tag follows a number of four bytes.
func (r *Recording) tagFollows(c *cursor) bool {
	b, err := c.src.view(c.off, min(14, c.src.size-c.off), nil)
	return err == nil && len(b) == 14 && slices.Contains(tags, string(b[4:]))
}

// lostTag goes to the tag after options that do not end at it. It reports whether it had to move.
func (r *Recording) lostTag(c *cursor) bool {
	if k := c.fork(); c.err == nil && k.tag() != "" {
		return false
	}
	from := c.off
	if c.err != nil {
		from = c.err.Offset
	}
	at := c.src.find(from, tags[1:]...)
	if at < 0 {
		return false
	}
	r.note(c)
	c.err, c.off = nil, at
	return true
}

// instance moves to the tag of an instance. If the tag is not in its place, instance uses the
// nearest one.
func (r *Recording) instance(src *source, in *v6Instance, b *Buffer) *cursor {
	n := newCursor(src, r.order, 0)
	n.seek(in.offset, "instance "+in.name)
	if k := *n; n.err == nil && k.tag() != "" {
		return n
	}
	best := int64(nearby)
	for at := src.find(max(0, in.offset-nearby), tags[1:]...); at >= 0 &&
		at < in.offset+nearby; at = src.find(at+1, tags[1:]...) {
		if d := at - in.offset; max(d, -d) < best {
			best, b.moved = max(d, -d), d
		}
	}
	if b.moved != 0 {
		r.damage.Add(src.fail(in.offset, fmt.Sprintf("instance %s, which is at %d", in.name, in.offset+b.moved),
			ErrCorrupt), 0)
		n.err, n.off = nil, in.offset+b.moved
	}
	return n
}

type v6Instance struct {
	name   string
	offset int64
	cpus   cpuCount
}

// cpuCount is a recorded number of processors and its offset.
type cpuCount struct{ at, n int64 }

// optionsV6 reads options up to id 0. A CPUCOUNT after a BUFFER belongs to that buffer.
func (r *Recording) optionsV6(c *cursor, cpus cpuCount) (instances []*v6Instance, clock bool) {
	for c.err == nil {
		id := c.u16("option id")
		if id == OptionDone || c.err != nil {
			break
		}
		size := int64(c.u32("size of option"))
		at := c.off
		p := r.option(id, c.src, at, size)
		c.skipTo(at+size, id)
		switch {
		case c.err != nil:
		case id == OptionTraceClock:
			clock = true
		case id == OptionBuffer:
			in := &v6Instance{offset: p.size64("offset of the buffer"), cpus: cpus}
			in.name = p.rest("name of the buffer")
			instances = append(instances, in)
		case id == OptionCPUCount && size == 4: // gpuvis' fork uses this id for its own blob
			if n := int64(p.u32("number of CPUs")); len(instances) > 0 {
				instances[len(instances)-1].cpus = cpuCount{at, n}
			}
		}
		r.note(p)
	}
	return instances, clock
}

// tag reads the 10 bytes of a tag.
func (c *cursor) tag() string {
	at := c.off
	switch t := strings.TrimRight(string(c.take(10, "a 10-byte tag")), " \x00"); t {
	case "options", "flyrecord", "latency":
		return t
	}
	c.off = at
	c.fail("the tag options, flyrecord or latency", ErrCorrupt)
	return ""
}

// bufferV6 reads the contents after a tag: the CPU table and the clock, or the text of a latency
// tracer.
func (r *Recording) bufferV6(c *cursor, b *Buffer, tag string, cpus cpuCount, clock bool) error {
	switch tag {
	case "latency":
		text := c.fork()
		b.text = &text
		return nil
	case "flyrecord":
	default:
		c.fail("the tag flyrecord or latency", ErrCorrupt)
		return c.err
	}
	r.readTable(c, b, cpus.n, cpus.at)
	if c.err != nil {
		return c.err
	}
	r.led.claims(c.off)
	if clock && c.left() > 0 {
		// A missing clock does not make the data useless. TRACECLOCK may be empty (kernel bugzilla
		// 218430).
		k := c.fork()
		text := k.text(k.size64("size of the clock"), "clock")
		if name := clockName(text); k.err == nil && name != "" {
			r.led.claims(k.off)
			b.Clock = name
			if b.Name == "" {
				r.info.ClockText, _, _ = strings.Cut(text, "\x00")
			}
		}
	}
	return nil
}

// headerInfo reads header_page and header_event. Without them no page can be read, and the layout
// stays empty.
func (r *Recording) headerInfo(c *cursor) error {
	l := layout{big: r.layout.big}
	at := c.off
	if string(c.take(12, "header_page")) != "header_page\x00" && c.err == nil {
		c.off = at
		c.fail("header_page", ErrCorrupt)
	}
	r.info.HeaderPage = c.header(c.size64("size of header_page"), "header_page")
	if c.err != nil {
		return c.err
	}
	if r.info.HeaderPage == "" {
		return c.src.fail(at, "a header_page with fields",
			fmt.Errorf("%w: ring buffer of a kernel before 2.6.31", ErrUnsupported))
	}
	if err := l.parseHeaderPage(r.info.HeaderPage, r.info.RecorderWord); err != nil {
		return c.src.fail(at, "header_page", err)
	}
	at = c.off
	if string(c.take(13, "header_event")) != "header_event\x00" && c.err == nil {
		c.off = at
		c.fail("header_event", ErrCorrupt)
	}
	r.info.HeaderEvent = c.header(c.size64("size of header_event"), "header_event")
	if c.err != nil {
		return c.err
	}
	if err := parseHeaderEvent(r.info.HeaderEvent); err != nil {
		return c.src.fail(at, "header_event", err)
	}
	r.layout = l
	return nil
}

// header copies one of the two required header texts.
func (c *cursor) header(n int64, want string) string {
	if n > maxFormat && n <= c.left() {
		c.fail(want, fmt.Errorf("%w: %d bytes", ErrLimit, n))
		return ""
	}
	return c.text(n, want)
}

func (r *Recording) ftraceFormats(c *cursor) {
	r.formatList(c, "ftrace", c.u32("number of ftrace formats"))
}

func (r *Recording) eventFormats(c *cursor) {
	systems := c.u32("number of event systems")
	for i := uint32(0); i < systems && c.err == nil; i++ {
		name := c.zstring(4096, "name of an event system")
		r.formatList(c, name, c.u32("number of formats"))
	}
}

func (r *Recording) formatList(c *cursor, system string, n uint32) {
	for i := uint32(0); i < n && c.err == nil; i++ {
		size := c.size64("size of a format")
		if size > maxFormat && size <= c.left() {
			d := c.src.fail(c.off, "a format of system "+system, fmt.Errorf("%w: %d bytes", ErrLimit, size))
			d.Skipped = size
			r.damage.Add(d, c.off)
			c.seek(c.off+size, "a format")
			continue
		}
		if err := r.charge(min(size, c.left())); err != nil {
			d := c.src.fail(c.off, "memory for a format of system "+system, err)
			d.Skipped = size
			r.damage.Add(d, c.off)
			c.seek(c.off+size, "a format")
			continue
		}
		text := c.text(size, "a format of system "+system)
		if c.err == nil {
			r.addFormat(system, text, c)
		}
	}
}

// laterText skips n bytes and returns a function that fetches them.
func (r *Recording) laterText(c *cursor, n int64, want string) func() (string, error) {
	at := c.fork()
	if n > c.left() {
		c.take(n, want)
	} else {
		c.seek(c.off+n, want)
	}
	return func() (string, error) {
		c := at
		return r.textAt(&c, n, want)
	}
}

// textAt copies a text. The text stays in memory with the names made from it.
func (r *Recording) textAt(c *cursor, n int64, want string) (string, error) {
	if n <= c.left() {
		if err := r.memory.Take(n); err != nil {
			return "", c.src.fail(c.off, fmt.Sprintf("memory for %s of %d bytes", want, n), err)
		}
	}
	s := c.text(n, want)
	return s, c.failure()
}

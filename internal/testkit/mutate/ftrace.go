package mutate

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
)

// Ftrace is a model of a recording of ftrace, from which every container can be made.
type Ftrace struct {
	Name string
	file tracefile.File
}

// maxPages is the number of sub-buffers to keep for each processor, since mutants must be fast to
// read.
const maxPages = 3

// NewFtrace takes the parts of a recording that tests need: a few sub-buffers of each processor and
// the formats of their events.
func NewFtrace(name string, rec *ftrace.Recording) (*Ftrace, error) {
	info := rec.Info()
	f := &Ftrace{Name: name}
	f.file = tracefile.File{
		Machine: tracefile.Machine{Big: info.ByteOrder.Uint16([]byte{0, 1}) == 1, Word: info.WordSize},
		Version: 7, RecorderWord: info.RecorderWord, PageSize: info.PageSize, HeaderPage: info.HeaderPage,
		HeaderEvent: info.HeaderEvent,
		Kallsyms:    head(rec.Kallsyms(), 100), Printk: head(rec.PrintkFormats(), 20), Cmdlines: rec.Cmdlines(),
	}
	used := map[int]bool{}
	for _, b := range rec.Buffers() {
		buffer := tracefile.Buffer{Name: b.Name, Clock: "[" + b.Clock + "]", PageSize: b.PageSize}
		for i := range b.CPUs {
			c := tracefile.CPU{ID: b.CPUs[i].ID}
			err := b.Pages(&b.CPUs[i], func(page []byte) error {
				if len(c.Pages) < maxPages*b.PageSize {
					c.Pages = append(c.Pages, page...)
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			buffer.CPUs = append(buffer.CPUs, c)
		}
		f.file.Buffers = append(f.file.Buffers, buffer)
		f.file.CPUs = max(f.file.CPUs, len(b.CPUs))
	}
	for _, s := range rec.Streams(ftrace.StreamOptions{}) {
		for {
			batch, err := s.Next()
			if err != nil {
				break
			}
			for i := range batch.Records {
				used[int(batch.Records[i].ID)] = true
			}
		}
	}
	for _, x := range rec.Formats() {
		f.addFormat(x, used[x.ID])
	}
	for _, o := range info.Options {
		switch o.ID {
		case ftrace.OptionDate, ftrace.OptionCPUStat, ftrace.OptionUname, ftrace.OptionOffset, ftrace.OptionVersion,
			ftrace.OptionTraceID,
			ftrace.OptionTimeShift, ftrace.OptionGuest, ftrace.OptionTSC2NSEC, ftrace.OptionProcMaps:
			f.file.Options = append(f.file.Options, tracefile.Option{ID: o.ID, Payload: o.Payload})
		}
	}
	return f, nil
}

func (f *Ftrace) addFormat(x *ftrace.Format, used bool) {
	if x.System == "ftrace" {
		f.file.Ftrace = append(f.file.Ftrace, x.Text)
		return
	}
	n := len(f.file.Systems)
	if n == 0 || f.file.Systems[n-1].Name != x.System {
		f.file.Systems = append(f.file.Systems, tracefile.System{Name: x.System})
		n++
	}
	if s := &f.file.Systems[n-1]; used || len(s.Formats) == 0 && n%8 == 0 {
		s.Formats = append(s.Formats, x.Text)
	}
}

// head returns the first lines of a text.
func head(text string, n int) string {
	lines := strings.SplitAfterN(text, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "")
}

// Containers are the file formats of recordings.
var Containers = []string{"v6", "v7", "v7-zstd", "v7-zlib", "v7-plainmeta"}

// Page is a sub-buffer that a mutation is confined to.
type Page struct {
	Buffer, CPU, Index int
}

// Sample writes the recording into a container, intact.
func (f *Ftrace) Sample(container string) *Sample { return f.write(&f.file, container) }

func (f *Ftrace) write(file *tracefile.File, container string) *Sample {
	file.Version, file.Compression, file.PlainMeta = 7, "", false
	switch container {
	case "v6":
		file.Version = 6
	case "v7-zstd", "v7-zlib":
		file.Compression = strings.TrimPrefix(container, "v7-")
	case "v7-plainmeta":
		file.Compression, file.PlainMeta = "zstd", true
	}
	b := file.Bytes()
	s := &Sample{Name: f.Name + "/" + container, Tree: Tree{"": b}}
	s.Places = f.places(b, file)
	return s
}

// places finds the numbers of a container: in the head, in sections and options, and in the tables.
func (f *Ftrace) places(b []byte, file *tracefile.File) (list []Place) {
	var order binary.ByteOrder = binary.LittleEndian
	if file.Big {
		order = binary.BigEndian
	}
	add := func(off, n int, what string) {
		if off >= 0 && off+n <= len(b) {
			list = append(list, Place{Off: off, Len: n, Order: order, What: what})
		}
	}
	add(10, 1, "version")
	add(12, 1, "byte order")
	add(13, 1, "size of long")
	add(14, 4, "page size")
	if file.Version == 6 {
		for _, tag := range []string{"header_page\x00", "header_event\x00"} {
			add(bytes.Index(b, []byte(tag))+len(tag), 8, "size of "+tag[:len(tag)-1])
		}
		options := bytes.Index(b, []byte("options  \x00"))
		add(options-4, 4, "number of CPUs")
		for at := options + 10; at > 10 && at+6 < len(b); {
			add(at, 2, "option id")
			add(at+2, 4, "size of an option")
			add(at+6, 8, "an option")
			if order.Uint16(b[at:]) == 0 {
				break
			}
			at += 6 + int(order.Uint32(b[at+2:]))
		}
		for at := 0; ; {
			i := bytes.Index(b[at:], []byte("flyrecord\x00"))
			if i < 0 {
				break
			}
			at += i + 10
			for n := range 2*file.CPUs + 1 {
				add(at+8*n, 8, "the table of CPUs")
			}
		}
		return list
	}
	at := 18
	for range 2 {
		at += bytes.IndexByte(b[at:], 0) + 1
	}
	add(at, 8, "offset of the options")
	for at += 8; at+16 <= len(b); {
		id, size := order.Uint16(b[at:]), int(order.Uint64(b[at+8:]))
		add(at, 2, "section id")
		add(at+2, 2, "flags of a section")
		add(at+8, 8, "size of a section")
		if size < 0 || size > len(b) {
			break
		}
		if id == 0 {
			for o := at + 16; o+6 <= at+16+size; o += 6 + int(order.Uint32(b[o+2:])) {
				add(o, 2, "option id")
				add(o+2, 4, "size of an option")
				for n := 0; n < int(order.Uint32(b[o+2:])); n += 4 {
					add(o+6+n, 4, fmt.Sprintf("option %d", order.Uint16(b[o:])))
				}
			}
		} else {
			add(at+16, 4, "packed size")
			add(at+20, 4, "plain size")
		}
		at += 16 + size
	}
	return list
}

// Mutate changes the model, and then writes it into a container, so that compressed data can be
// damaged. The page is the place of all damage, or nil if there is damage elsewhere.
func (f *Ftrace) Mutate(r *rand.Rand, container string) (*Mutant, *Page) {
	file := f.file
	file.Buffers = slices.Clone(file.Buffers)
	var page *Page
	var step string
	switch r.IntN(8) {
	case 0, 1, 2, 3:
		page, step = f.mutatePage(r, &file)
	case 4, 5:
		step = mutateFormat(r, &file)
	case 6:
		texts := []*string{&file.HeaderPage, &file.HeaderEvent, &file.Kallsyms, &file.Printk, &file.Cmdlines}
		t := texts[r.IntN(len(texts))]
		out, off, what := Text(r, []byte(*t))
		*t, step = string(out), fmt.Sprintf("a text: %s at %d", what, off)
	default:
		if len(file.Options) > 0 {
			i := r.IntN(len(file.Options))
			file.Options = slices.Clone(file.Options)
			out, off, what := Blind(r, file.Options[i].Payload, nil)
			file.Options[i].Payload, step = out, fmt.Sprintf("option %d: %s at %d", file.Options[i].ID, what, off)
		}
	}
	s := f.write(&file, container)
	return &Mutant{Tree: s.Tree, Steps: []string{step}, First: map[string]int{"": 0}}, page
}

func mutateFormat(r *rand.Rand, file *tracefile.File) string {
	file.Systems, file.Ftrace = slices.Clone(file.Systems), slices.Clone(file.Ftrace)
	list := &file.Ftrace
	if n := r.IntN(len(file.Systems) + 1); n < len(file.Systems) && len(file.Systems[n].Formats) > 0 {
		file.Systems[n].Formats = slices.Clone(file.Systems[n].Formats)
		list = &file.Systems[n].Formats
	}
	i := r.IntN(len(*list))
	out, off, what := Text(r, []byte((*list)[i]))
	(*list)[i] = string(out)
	return fmt.Sprintf("a format: %s at %d", what, off)
}

// mutatePage changes one sub-buffer: its header, a word of an event, or any bytes.
func (f *Ftrace) mutatePage(r *rand.Rand, file *tracefile.File) (*Page, string) {
	var all []Page
	for i, b := range file.Buffers {
		for j, c := range b.CPUs {
			for k := range len(c.Pages) / b.PageSize {
				all = append(all, Page{i, j, k})
			}
		}
	}
	if len(all) == 0 {
		return nil, "nothing"
	}
	p := all[r.IntN(len(all))]
	b := &file.Buffers[p.Buffer]
	b.CPUs = slices.Clone(b.CPUs)
	c := &b.CPUs[p.CPU]
	c.Pages = bytes.Clone(c.Pages)
	page := c.Pages[p.Index*b.PageSize : (p.Index+1)*b.PageSize]
	var order binary.ByteOrder = binary.LittleEndian
	if file.Big {
		order = binary.BigEndian
	}
	word := func(off, n int, what string) string {
		v := Number(r, get(page[off:off+n], order), n)
		put(page[off:off+n], order, v)
		return fmt.Sprintf("%s of page %+v: %#x", what, p, v)
	}
	header := 8 + file.Word
	used := max(16, min(int(order.Uint32(page[header-4:])&(1<<20-1)), int(order.Uint32(page[8:])&(1<<20-1)),
		len(page)-header-8))
	switch r.IntN(6) {
	case 0:
		return &p, word(0, 8, "time")
	case 1:
		return &p, word(8, file.Word, "commit")
	case 2, 3:
		return &p, word(header+r.IntN(used)/4*4, 4, "a word")
	case 4:
		off := header + r.IntN(used)
		n := 1 + r.IntN(len(page)-off)
		copy(page[off:], noise(r, min(n, 64)))
		return &p, fmt.Sprintf("noise at %d of page %+v", off, p)
	}
	off := header + r.IntN(used)
	page[off] ^= 1 << r.IntN(8)
	return &p, fmt.Sprintf("a bit at %d of page %+v", off, p)
}

// Without returns the recording without the pages of a processor from one page on. If tail is set,
// it removes the pages up to that page instead.
func (f *Ftrace) Without(p *Page, tail bool, container string) *Sample {
	file := f.file
	file.Buffers = slices.Clone(file.Buffers)
	for i := range file.Buffers {
		b := &file.Buffers[i]
		b.CPUs = slices.Clone(b.CPUs)
		for j := range b.CPUs {
			c := &b.CPUs[j]
			switch {
			case i != p.Buffer || j != p.CPU:
				c.Pages = nil
			case tail:
				c.Pages = c.Pages[(p.Index+1)*b.PageSize:]
			default:
				c.Pages = c.Pages[:p.Index*b.PageSize]
			}
		}
	}
	return f.write(&file, container)
}

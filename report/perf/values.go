package perf

import (
	"bytes"
	"strconv"
	"time"

	"github.com/tracec/tracec/runtime/perf"
)

// early are the fields of [perf.Parts] before the address of a sample, late the fields after it.
const (
	early = FieldSynth | FieldAddr | FieldDataSource | FieldWeight | FieldLatency | FieldRetire | FieldCgroup
	late  = FieldIntrRegs | FieldUserRegs | FieldBranches | FieldBranchSyms | FieldBranchOffsets | FieldBPFOutput |
		FieldPhysAddr | FieldDataPageSize | FieldCodePageSize
)

// before prints the values of a sample about an access to memory.
func (p *printer) before(x *perf.Entry, f Fields) {
	if f&early == 0 {
		return
	}
	s := &p.parts
	if a := x.Event.Attr; f&FieldSynth != 0 && isSynthesized(a) {
		p.buf = synthesized(p.buf, a.Config, s.Raw, p.like.old)
	}
	if f&FieldAddr != 0 {
		p.address(s.Addr)
		if x.Event.Attr.FaultsPages() {
			p.addressed(x, f)
		}
	}
	if f&FieldDataSource != 0 {
		p.source(s.DataSource)
	}
	if f&FieldWeight != 0 {
		p.buf = number(p.buf, int64(s.Weight), 16)
	}
	if f&FieldLatency != 0 {
		p.buf = number(p.buf, int64(s.Latency), 16)
	}
	if f&FieldRetire != 0 {
		p.buf = number(p.buf, int64(s.Retire), 16)
	}
	if f&FieldCgroup != 0 {
		name, ok := p.extra.cgroups[s.Cgroup]
		if !ok {
			name = "unknown"
		}
		p.buf = append(append(p.buf, ' '), name...)
	}
}

func (p *printer) address(n uint64) {
	var digits [16]byte
	text := strconv.AppendUint(digits[:0], n, 16)
	p.buf = append(pad(p.buf, 16-len(text)), text...)
}

// addressed prints the symbol at the address of an access.
func (p *printer) addressed(x *perf.Entry, f Fields) {
	y := p.at(x, p.parts.Addr)
	p.symbol(y, f)
	if f&FieldDSO != 0 {
		p.buf = append(p.buf, ' ')
		p.module(y)
	}
}

// source prints data_src. Perf pads the text to the longest one so far, and truncates long texts.
func (p *printer) source(n uint64) {
	const longest = 99
	at := len(p.buf)
	p.address(n)
	p.buf = dataSource(append(p.buf, ' '), n, p.like.old)
	p.buf = p.buf[:min(len(p.buf), at+longest)]
	p.extra.sourceWidth = max(p.extra.sourceWidth, len(p.buf)-at)
	p.buf = pad(p.buf, p.extra.sourceWidth-(len(p.buf)-at))
}

// after prints registers, branches, and pages.
func (p *printer) after(x *perf.Entry, f Fields) {
	if f&late == 0 {
		return
	}
	s := &p.parts
	if f&FieldIntrRegs != 0 {
		p.registers(&s.Intr)
	}
	if f&FieldUserRegs != 0 {
		p.registers(&s.User)
	}
	p.branches(x, f)
	if f&FieldBPFOutput != 0 && x.Event.Attr.IsBPFOutput() {
		p.buf = bpfOutput(p.buf, s.Raw)
	}
	if f&FieldPhysAddr != 0 {
		p.address(s.PhysAddr)
	}
	if f&FieldDataPageSize != 0 {
		p.buf = pageSize(append(p.buf, ' '), s.DataPageSize)
	}
	if f&FieldCodePageSize != 0 {
		p.buf = pageSize(append(p.buf, ' '), s.CodePageSize)
	}
}

// pageSize appends a size in the largest unit that gives more than 1.
func pageSize(dst []byte, n uint64) []byte {
	if n == 0 {
		return append(dst, "N/A"...)
	}
	const units = "BKMG"
	unit := 0
	for ; n/1024 > 1 && unit < len(units)-1; n /= 1024 {
		unit++
	}
	return append(strconv.AppendUint(dst, n, 10), units[unit])
}

// bpfOutput appends the output of a BPF program, eight bytes a line. If the output is text, it
// appends the text as well.
func bpfOutput(dst, data []byte) []byte {
	const width = 8
	dst = append(dst, '\n')
	for at := 0; at < len(data); at += width {
		title := ""
		if at == 0 {
			title = "BPF output:"
		}
		dst = append(append(pad(dst, 17-len(title)), title...), ' ')
		line := data[at:min(at+width, len(data))]
		const digits = "0123456789abcdef"
		for shift := 12; shift >= 0; shift -= 4 {
			dst = append(dst, digits[at>>shift&15])
		}
		dst = append(dst, ':')
		for _, c := range line {
			dst = append(dst, ' ', digits[c>>4], digits[c&15])
		}
		dst = append(pad(dst, 3*(width-len(line))), "  "...)
		for _, c := range line {
			if !printable(c) {
				c = '.'
			}
			dst = append(dst, c)
		}
		dst = append(pad(dst, width-len(line)), '\n')
	}
	if text, zeros, ok := bytes.Cut(data, []byte{0}); ok && len(bytes.Trim(zeros, "\x00")) == 0 && allPrintable(text) {
		dst = append(pad(dst, 17-len("BPF string:")), `BPF string: "`...)
		dst = append(append(dst, text...), "\"\n"...)
	}
	return dst
}

// printable reports whether perf treats a byte as a character of ASCII or Latin-1.
func printable(c byte) bool { return c >= ' ' && c < 0x7f || c >= 0xa0 }

func allPrintable(text []byte) bool {
	for _, c := range text {
		if !printable(c) {
			return false
		}
	}
	return true
}

// timeOfDay prints the local time of a sample.
func (p *printer) timeOfDay(ns uint64) {
	form := "2006-01-02 15:04:05.000000 "
	if p.opts.Nanoseconds {
		form = "2006-01-02 15:04:05.000000000 "
	}
	p.buf = time.Unix(0, int64(ns)+p.shown.wall).AppendFormat(p.buf, form)
}

// modes prints the letters for the mode and the type in the header of a record.
func (p *printer) modes(x *perf.Entry) {
	at := len(p.buf)
	for i, bits := range []uint16{1, 2, 3, 4, 5} {
		if x.Misc&bits == bits {
			p.buf = append(p.buf, "KUHGg"[i])
		}
	}
	switch k := x.Event.Kind; {
	case (k == perf.Mmap || k == perf.Mmap2) && x.Misc&miscData != 0:
		p.buf = append(p.buf, 'M')
	case k == perf.Comm && x.Misc&perf.CommExec != 0:
		p.buf = append(p.buf, 'E')
	case (k == perf.Switch || k == perf.SwitchCPUWide) && x.Misc&perf.SwitchOut != 0:
		p.buf = append(p.buf, 'S')
		if x.Misc&perf.SwitchPreempted != 0 {
			p.buf = append(p.buf, 'p')
		}
	}
	p.buf = pad(p.buf, max(1, 6-(len(p.buf)-at)))
}

package ftrace

import (
	"fmt"
	"strconv"
	"strings"
)

// optionFunc applies one option. c ends with the payload. Errors are left in c.
type optionFunc func(r *Recording, c *cursor)

// optionFuncs holds the options with the same meaning in versions 6 and 7. BUFFER, CPUCOUNT and the
// sections differ and are handled by the code of each version.
var optionFuncs = map[uint16]optionFunc{
	OptionDate:   func(r *Recording, c *cursor) { c.into(&r.info.Date, 1000, "date in microseconds") },
	OptionOffset: func(r *Recording, c *cursor) { c.into(&r.info.Offset, 1, "time offset in nanoseconds") },
	OptionCPUStat: func(r *Recording, c *cursor) {
		r.info.CPUStats = append(r.info.CPUStats,
			c.rest("CPU statistics"))
	},
	OptionTraceClock: func(r *Recording, c *cursor) { r.info.TraceClock = clockName(c.rest("trace clock")) },
	OptionUname:      func(r *Recording, c *cursor) { r.info.Uname = c.rest("uname") },
	OptionHook:       func(r *Recording, c *cursor) { r.info.Hooks = append(r.info.Hooks, c.rest("hook")) },
	OptionVersion:    func(r *Recording, c *cursor) { r.info.Recorder = c.rest("version of the recorder") },
	OptionProcMaps:   parseProcMaps,
	OptionTraceID:    func(r *Recording, c *cursor) { r.info.TraceID = c.u64("trace id") },
	OptionTimeShift:  parseTimeShift,
	OptionGuest:      parseGuest,
	OptionTSC2NSEC:   parseTSC,
	OptionLastBoot: func(r *Recording, c *cursor) {
		r.info.LastBootInfo = append(r.info.LastBootInfo, c.rest("last boot info"))
	},
	OptionBTF: func(r *Recording, c *cursor) { r.info.HasBTF = true },
}

// option keeps the payload and applies the option. If it is damaged, only this option is lost.
func (r *Recording) option(id uint16, src *source, off, size int64) *cursor {
	c := newCursor(src, r.order, off)
	if size <= c.left() {
		if err := r.charge(2*size + optionSize); err != nil {
			c.fail(fmt.Sprintf("memory for option %d of %d bytes", id, size), err)
		}
	}
	payload := []byte(c.text(size, "option "+strconv.Itoa(int(id))))
	if c.err != nil {
		r.damage.Add(c.err, int64(id))
		return c
	}
	r.info.Options = append(r.info.Options, Option{ID: id, Offset: src.at(off), Payload: payload})
	body := &source{name: src.name, data: payload, size: size, base: src.at(off), packed: src.packed, part: true}
	p := newCursor(body, r.order, 0)
	if apply := optionFuncs[id]; apply != nil {
		apply(r, p)
		r.note(p)
		p.err, p.off = nil, 0
	}
	return p
}

// skipTo continues after an option.
func (c *cursor) skipTo(off int64, id uint16) {
	if off > c.end {
		c.take(off-c.off, "option "+strconv.Itoa(int(id))) // reports the missing bytes
		return
	}
	c.off = off
}

// into reads a number and multiplies it by a unit. If it cannot be read, v keeps the value of an
// earlier option.
func (c *cursor) into(v *int64, unit int64, want string) {
	if n := c.number(want); c.err == nil {
		*v = n * unit
	}
}

// note reports the error of c.
func (r *Recording) note(c *cursor) {
	if c.err != nil {
		r.damage.Add(c.err, c.off)
	}
}

// rest returns the remaining bytes as text, without the NUL that writers append.
func (c *cursor) rest(want string) string {
	s := c.text(c.left(), want)
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	return s
}

// number parses the rest as C's strtoll with base 0 does. Text after the number is ignored.
func (c *cursor) number(want string) int64 {
	s := strings.TrimSpace(c.rest(want))
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimLeft(s, "+-")
	base, digits := 10, "0123456789"
	switch {
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0X"):
		s, base, digits = s[2:], 16, "0123456789abcdefABCDEF"
	case strings.HasPrefix(s, "0"):
		base, digits = 8, "01234567"
	}
	end := 0
	for end < len(s) && strings.IndexByte(digits, s[end]) >= 0 {
		end++
	}
	v, err := strconv.ParseUint(s[:end], base, 63)
	if err != nil {
		c.off = 0
		c.fail(want, ErrCorrupt)
		return 0
	}
	if neg {
		return -int64(v)
	}
	return int64(v)
}

// clockName returns the current clock of "local [global] counter", or a plain name.
func clockName(s string) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	if _, after, ok := strings.Cut(s, "["); ok {
		if name, _, ok := strings.Cut(after, "]"); ok {
			return name
		}
	}
	return strings.TrimSpace(s)
}

func parseTSC(r *Recording, c *cursor) {
	t := TSC{Mult: c.u32("TSC multiplier"), Shift: c.u32("TSC shift"), Offset: c.u64("TSC offset")}
	if c.err == nil && t.Shift > 63 {
		c.off = 4
		c.fail("a shift below 64", ErrCorrupt)
	}
	if c.err == nil {
		r.info.TSC = &t
	}
}

// maxCPUs exceeds any kernel's NR_CPUS (8192 today). It bounds counts in a file.
const maxCPUs = 1 << 16

func parseGuest(r *Recording, c *cursor) {
	g := Guest{Name: c.zstring(c.left(), "name of the guest"), TraceID: c.u64("trace id of the guest")}
	n := int64(c.u32("number of virtual CPUs"))
	if n*8 > c.left() {
		c.fail("as many virtual CPUs as counted", ErrCorrupt)
	}
	for i := int64(0); i < n && c.err == nil; i++ {
		g.VCPUs = append(g.VCPUs, VCPU{CPU: int(c.u32("virtual CPU")), HostPID: int(int32(c.u32("pid")))})
	}
	if c.err == nil {
		r.info.Guests = append(r.info.Guests, g)
	}
}

func parseTimeShift(r *Recording, c *cursor) {
	t := &TimeShift{Peer: c.u64("trace id of the peer"), Interpolate: c.u32("flags")&1 != 0}
	cpus := int64(c.u32("number of CPUs"))
	if cpus*4 > c.left() {
		c.fail("as many CPUs as counted", ErrCorrupt)
	}
	for cpu := int64(0); cpu < cpus && c.err == nil; cpu++ {
		n := int64(c.u32("number of samples"))
		if n*24 > c.left() {
			c.fail("as many samples as counted", ErrCorrupt)
			return
		}
		s := make([]TimeSample, n)
		for i := range s {
			s[i].Time = c.u64("time")
		}
		for i := range s {
			s[i].Offset = int64(c.u64("offset"))
		}
		for i := range s {
			s[i].Scaling = c.u64("scaling")
		}
		t.CPUs = append(t.CPUs, s)
	}
	for _, s := range t.CPUs {
		if c.left() < int64(len(s))*8 {
			break // older recorders write no fractions
		}
		for i := range s {
			s[i].Fraction = c.u64("fraction bits")
		}
	}
	if c.err == nil {
		r.info.TimeShift = t
	}
}

// parseProcMaps reads "pid count program" and count lines of "start end library", numbers in
// hexadecimal.
func parseProcMaps(r *Recording, c *cursor) {
	head, text, _ := strings.Cut(c.rest("memory map of a process"), "\n")
	f := strings.SplitN(head, " ", 3)
	if len(f) < 3 {
		c.off = 0
		c.fail("pid, count and program", ErrCorrupt)
		return
	}
	pid, err := strconv.ParseInt(f[0], 16, 64)
	if err != nil {
		c.off = 0
		c.fail("a pid in hexadecimal", ErrCorrupt)
		return
	}
	if err := r.charge(int64(strings.Count(text, "\n")+1) * mappingSize); err != nil {
		c.fail("memory for the map of a process", err)
		return
	}
	m := ProcMap{PID: int(pid), Name: f[2]}
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimRight(line, "\n"), " ", 3)
		if len(f) < 3 {
			continue
		}
		start, err1 := strconv.ParseUint(f[0], 16, 64)
		end, err2 := strconv.ParseUint(f[1], 16, 64)
		if err1 == nil && err2 == nil {
			m.Libraries = append(m.Libraries, Mapping{Start: start, End: end, Name: f[2]})
		}
	}
	r.info.ProcMaps = append(r.info.ProcMaps, m)
}

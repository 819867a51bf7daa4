package ftrace

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/ftrace/btf"
)

// Names that trace-cmd prints for unknown names (libtraceevent: event-parse.c).
const (
	idleComm    = "<idle>"
	unknownComm = "<...>"
)

// Comm returns the name of a thread as saved by the kernel. It is "<idle>" for thread 0 and "<...>"
// for a thread that was not saved. It does not allocate, except on its first call.
func (r *Recording) Comm(pid int32) string {
	if r.grow.grows() {
		if name, ok := r.grow.threads.comm(r, pid); ok {
			return name
		}
		return nobody(pid)
	}
	r.texts.once.cmdlines.Do(func() { r.texts.comms = parseCmdlines(r.names(r.texts.cmdlines)) })
	if name, ok := r.texts.comms[pid]; ok {
		return name
	}
	return nobody(pid)
}

// fetchNames fetches all tables of names. Otherwise each is fetched on first use.
func (r *Recording) fetchNames() {
	r.Comm(0)
	r.TGID(0)
	r.Printk(0)
	r.Symbols()
}

// nobody returns the name of a thread without a saved name.
func nobody(pid int32) string {
	if pid == 0 {
		return idleComm
	}
	return unknownComm
}

// Comms calls fn for every saved name.
func (r *Recording) Comms(fn func(pid int32, comm string)) {
	if r.grow.grows() {
		r.grow.threads.each(r, fn)
		return
	}
	r.Comm(0)
	for pid, name := range r.texts.comms {
		fn(pid, name)
	}
}

// TGID returns the process of a thread. Only snapshots may have it (saved_tgids).
func (r *Recording) TGID(pid int32) (tgid int, ok bool) {
	if r.grow.grows() {
		return r.grow.threads.tgid(r, pid)
	}
	r.texts.once.tgids.Do(func() { r.texts.tgid = tgidsOf(parseCmdlines(r.names(r.texts.tgids))) })
	tgid, ok = r.texts.tgid[pid]
	return tgid, ok
}

func tgidsOf(lines map[int32]string) map[int32]int {
	tgids := make(map[int32]int, len(lines))
	for pid, s := range lines {
		if id, err := strconv.Atoi(s); err == nil {
			tgids[pid] = id
		}
	}
	return tgids
}

// Kallsyms returns the text of the kernel's symbol table as recorded, or "".
func (r *Recording) Kallsyms() string { return r.lend(r.texts.kallsyms) }

// PrintkFormats returns the text that Printk searches, or "".
func (r *Recording) PrintkFormats() string { return r.lend(r.texts.printk) }

// Cmdlines returns the text that Comm searches, or "".
func (r *Recording) Cmdlines() string { return r.lend(r.texts.cmdlines) }

// BTF returns the type information of the recorded kernel, for package btf, or "".
func (r *Recording) BTF() string { return r.lend(r.texts.btf) }

// Types returns the type information of the recorded kernel. The first call parses it. The result
// is nil if the information is missing or damaged.
func (r *Recording) Types() *btf.Types {
	r.texts.once.btf.Do(func() {
		text := r.fetch(r.texts.btf)
		if text == "" {
			return
		}
		var err error
		if r.texts.types, err = btf.Parse([]byte(text)); err != nil {
			r.texts.types = nil
			r.damage.Add(&Damage{File: r.info.Name, Part: "BTF", Want: "type information of the kernel",
				Err: fmt.Errorf("%w: %w", ErrCorrupt, err)}, 0)
			return
		}
		if r.dir != nil {
			r.texts.types.WithModules(r.dir, func(file string, err error) {
				r.damage.Add(&Damage{File: r.fileName(file), Want: "type information of a module", Err: err}, 0)
			})
		}
	})
	return r.texts.types
}

// Enumerator returns the value of a name in the kernel's headers, if its type information has the
// name.
func (r *Recording) Enumerator(name string) (v int64, ok bool) {
	if t := r.Types(); t != nil {
		return t.Enumerator(name)
	}
	return 0, false
}

// fetch calls a function that fetches a text. An error is damage, and names are then missing.
func (r *Recording) fetch(text func() (string, error)) string {
	if text == nil {
		return ""
	}
	s, err := text()
	if err != nil {
		if d, ok := err.(*Damage); ok {
			r.damage.Add(d, 0)
		} else {
			r.damage.Add(&Damage{File: r.info.Name, Want: "a text", Err: err}, 0)
		}
	}
	return s
}

// lend fetches a text that belongs to the caller.
func (r *Recording) lend(text func() (string, error)) string {
	s := r.fetch(text)
	r.memory.Give(int64(len(s)))
	return s
}

// names fetches a text. Each of its lines goes to a table of names.
func (r *Recording) names(text func() (string, error)) string { return r.lines(text, nameSize) }

// lines fetches a text. Each of its lines takes size bytes in a table. Lines that do not fit in the
// memory are damage.
func (r *Recording) lines(text func() (string, error), size int64) string {
	s := r.fetch(text)
	err := r.memory.Take(int64(strings.Count(s, "\n")+1) * size)
	if err == nil {
		return s
	}
	r.damage.Add(&Damage{File: r.info.Name, Want: "memory for a table of names", Err: err, Skipped: int64(len(s))},
		size)
	r.memory.Give(int64(len(s)))
	return ""
}

// maxNames bounds the tables of names. The kernel saves 32,768 threads at most
// (kernel/trace/trace.c: tracing_saved_cmdlines_size_write) and has some thousand formats.
const maxNames = 1 << 20

// parseCmdlines reads lines of pid, blank, name. If a pid has several names, the last one counts.
func parseCmdlines(text string) map[int32]string {
	m := make(map[int32]string, min(maxNames, strings.Count(text, "\n")))
	for line := range strings.Lines(text) {
		if len(m) == maxNames {
			break
		}
		pid, name, ok := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if n, err := strconv.ParseInt(pid, 10, 32); ok && err == nil {
			m[int32(n)] = name
		}
	}
	return m
}

// Printk returns the string at an address of the kernel, if printk_formats lists it. This is a
// format of trace_printk, or a string to which a char * field of an event may point. C escapes are
// decoded.
func (r *Recording) Printk(addr uint64) (format string, ok bool) {
	if len(r.info.LastBootInfo) > 0 {
		if s := r.Symbols(); s.moved {
			if addr, ok = s.place(addr); !ok {
				return "", false
			}
		}
	}
	r.texts.once.printk.Do(func() { r.texts.formatsByAddr = parsePrintk(r.names(r.texts.printk)) })
	format, ok = r.texts.formatsByAddr[addr]
	return format, ok
}

// Printks calls fn for every string that printk_formats lists, in its order and including
// duplicates.
func (r *Recording) Printks(fn func(addr uint64, format string)) {
	eachPrintk(r.PrintkFormats(), func(addr uint64, s string) bool {
		fn(addr, s)
		return true
	})
}

// parsePrintk makes the table of a text.
func parsePrintk(text string) map[uint64]string {
	m := make(map[uint64]string, min(maxNames, strings.Count(text, "\n")))
	eachPrintk(text, func(addr uint64, s string) bool {
		m[addr] = s
		return len(m) < maxNames
	})
	return m
}

// eachPrintk reads lines of `0xADDRESS : "TEXT"` (kernel/trace/trace_printk.c: t_show) until fn
// returns false.
func eachPrintk(text string, fn func(addr uint64, format string) bool) {
	for line := range strings.Lines(text) {
		a, s, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		a = strings.TrimPrefix(strings.TrimSpace(a), "0x")
		addr, err := strconv.ParseUint(a, 16, 64)
		if !ok || err != nil {
			continue
		}
		s = strings.TrimPrefix(s, " ")
		s = strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
		if !fn(addr, unescape(s)) {
			return
		}
	}
}

// unescape decodes the escapes of t_show. t_show writes a backslash as one backslash, so a
// backslash before any other letter represents itself.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			if j := strings.IndexByte(`nt"\abfrve`, s[i+1]); j >= 0 {
				b.WriteByte("\n\t\"\\\a\b\f\r\v\x1b"[j])
				i++
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

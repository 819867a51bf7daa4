package ftrace

import (
	"bytes"
	"strings"
)

// The parts of a version 6 file come one after another, each with its own size, so a wrong size
// hides all later parts. But texts of formats begin with "name: " after their size, and the end of
// the metadata has a tag. The two texts before the tag can be found backwards: only one place
// before a text holds a size that fits.

// tags are the tags that follow the metadata and the number of processors.
var tags = []string{"options  \x00", "flyrecord\x00", "latency  \x00"}

// afterDamage continues after damage in the metadata of a version 6 file, which begin at from. c is
// then at the number of processors.
func (r *Recording) afterDamage(c *cursor, from int64) {
	r.note(c)
	at := c.src.find(from, tags...) // a wrong size can have led far beyond it
	if at < 4 {
		return
	}
	c.err = nil
	c.off = at - 4
	end := c.off
	for _, p := range []struct {
		text *func() (string, error)
		id   uint16
		wide int64
		want string
	}{
		{&r.texts.cmdlines, OptionCmdlines, 8, "saved command lines"},
		{&r.texts.printk, OptionPrintk, 4, "printk formats"}, {&r.texts.kallsyms, OptionKallsyms, 4, "kallsyms"},
	} {
		begin := r.sizedBefore(c.src, from, end, p.wide)
		if begin < 0 {
			break
		}
		k := newCursor(c.src, c.order, begin)
		r.led.part(k, p.id, func() { *p.text = r.laterText(k, end-begin, p.want) })
		end = begin - p.wide
	}
	r.lostFormats(c.src, from, end)
}

// sizedBefore returns the beginning of a text that ends at end. Its size, of wide bytes, precedes
// the text. sizedBefore returns -1 if there is no such place from from on.
func (r *Recording) sizedBefore(src *source, from, end, wide int64) int64 {
	const most = 1 << 20
	begin := max(from, end-most)
	b, err := src.view(begin, end-begin, nil)
	if err != nil {
		return -1
	}
	for i := len(b) - int(wide); i >= 0; i-- {
		n := uint64(len(b) - i - int(wide))
		if wide == 8 && r.order.Uint64(b[i:]) == n || wide == 4 && uint64(r.order.Uint32(b[i:])) == n {
			return begin + int64(i) + wide
		}
	}
	return -1
}

// lostFormats reads the texts of formats between two places to which no count leads.
func (r *Recording) lostFormats(src *source, from, end int64) {
	const head = "name: "
	system := "ftrace"
	if n := len(r.formats); n > 0 {
		system = r.formats[n-1].System
	}
	known := map[string]bool{}
	for _, f := range r.formats {
		known[f.Text] = true
	}
	for at := from; ; {
		at = src.find(at, head)
		if at < 0 || at+int64(len(head)) > end {
			return
		}
		text, ok := r.formatAt(src, at, end)
		if !ok {
			at++
			continue
		}
		if s := r.systemBefore(src, at-8); s != "" {
			system = s
		}
		if !known[text] {
			if r.charge(int64(len(text))) != nil {
				return
			}
			r.addFormat(system, text, newCursor(src, r.order, at))
		}
		at += int64(len(text))
	}
}

// formatAt returns the text of a format at a place that is preceded by its size.
func (r *Recording) formatAt(src *source, at, end int64) (string, bool) {
	if at < 8 {
		return "", false
	}
	b, err := src.view(at-8, 8, nil)
	if err != nil {
		return "", false
	}
	n := r.order.Uint64(b)
	if n > maxFormat || at+int64(n) > end {
		return "", false
	}
	text, err := src.view(at, int64(n), nil)
	if err != nil || !bytes.Contains(text, []byte("\nID:")) || bytes.IndexByte(text, 0) >= 0 {
		return "", false
	}
	return string(text), true
}

// systemBefore returns the name of a system, if it and the number of its formats precede the first
// size at at.
func (r *Recording) systemBefore(src *source, at int64) string {
	const most = 64
	begin := max(0, at-most)
	b, err := src.view(begin, at-begin, nil)
	if err != nil || len(b) < 6 || b[len(b)-5] != 0 {
		return ""
	}
	if n := r.order.Uint32(b[len(b)-4:]); n == 0 || n > 1<<16 {
		return ""
	}
	b = b[:len(b)-5]
	i := len(b)
	for i > 0 && isName(b[i-1]) {
		i--
	}
	return strings.TrimSpace(string(b[i:]))
}

func isName(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

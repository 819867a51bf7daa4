package report

import (
	"crypto/rand"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"
)

// A Terminal writes text that may contain names and texts of recordings to a terminal. It shows
// control characters as ^[ or \x9b, since they could move the cursor, change settings or forge
// text. Tabs and newlines are written as they are. Escape sequences of tracec, such as colours,
// follow Mark. A Terminal is for one goroutine.
type Terminal struct {
	file *os.File
	mark string
	buf  []byte
	more int // missing bytes of the current UTF-8 sequence
}

// ForTerminal returns a Terminal for w if w is a terminal, else w itself. Output to files and pipes
// is thus unchanged.
func ForTerminal(w io.Writer) io.Writer {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return w
	}
	return NewTerminal(f)
}

// NewTerminal returns a Terminal for a file.
func NewTerminal(f *os.File) *Terminal {
	// A random mark for every run: no recording can contain it.
	return &Terminal{file: f, mark: "\x1b" + rand.Text()}
}

// TerminalFile returns the terminal that w writes to. ok is false if w writes elsewhere.
func TerminalFile(w io.Writer) (f *os.File, ok bool) {
	if t, ok := w.(*Terminal); ok {
		return t.file, true
	}
	f, ok = w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// File returns the terminal.
func (t *Terminal) File() *os.File { return t.file }

// Mark returns the mark for an escape sequence of tracec, which must be in the same Write. It
// begins with the escape character and replaces it: Mark() + "[32m" writes "\x1b[32m".
func (t *Terminal) Mark() string { return t.mark }

// MarkOf returns the [Terminal.Mark] of a writer that is a Terminal, else the escape character
// alone.
func MarkOf(w io.Writer) string {
	if t, ok := w.(*Terminal); ok {
		return t.mark
	}
	return "\x1b"
}

// Write implements io.Writer.
func (t *Terminal) Write(p []byte) (int, error) {
	t.buf = t.AppendVisible(t.buf[:0], p)
	if _, err := t.file.Write(t.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// AppendVisible appends p as Write would write it. It serves texts that reach the terminal in
// another way, such as through a pager.
func (t *Terminal) AppendVisible(dst, p []byte) []byte {
	for i := 0; i < len(p); i++ {
		c := p[i]
		continues := c&0xc0 == 0x80 && t.more > 0
		switch {
		case continues:
			t.more--
			dst = append(dst, c)
			continue
		case c == 0xc2 && i+1 < len(p) && p[i+1] >= 0x80 && p[i+1] < 0xa0: // C1 in UTF-8
			i++
			dst = appendHexByte(dst, p[i])
		case c >= 0x80 && c < 0xa0: // C1 in Latin-1, or after a 0xc2 that was written before
			dst = appendHexByte(dst, c)
		case c >= utf8.RuneSelf:
			t.more = sequence(c)
			dst = append(dst, c)
			continue
		case c == '\x1b' && len(p)-i >= len(t.mark) && string(p[i:i+len(t.mark)]) == t.mark:
			dst = append(dst, c)
			i += len(t.mark) - 1
		case c < ' ' && c != '\n' && c != '\t':
			dst = append(dst, '^', c+'@')
		case c == 0x7f:
			dst = append(dst, '^', '?')
		default:
			dst = append(dst, c)
		}
		t.more = 0
	}
	return dst
}

// sequence returns the number of bytes that follow the first byte of a UTF-8 sequence. It returns 0
// for 0xc2: the next byte may be a control character, and is checked by itself.
func sequence(c byte) int {
	switch {
	case c >= 0xf0 && c < 0xf5:
		return 3
	case c >= 0xe0 && c < 0xf0:
		return 2
	case c > 0xc2 && c < 0xe0:
		return 1
	}
	return 0
}

func appendHexByte(dst []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'x', digits[c>>4], digits[c&15])
}

// Visible returns a writer for w that escapes text as t does. w leads to the terminal in another
// way.
func (t *Terminal) Visible(w io.Writer) io.Writer { return &visible{t, w, nil} }

type visible struct {
	t   *Terminal
	w   io.Writer
	buf []byte
}

func (v *visible) Write(p []byte) (int, error) {
	v.buf = v.t.AppendVisible(v.buf[:0], p)
	if _, err := v.w.Write(v.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

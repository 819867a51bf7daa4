package render

// BinPrintf appends the output of a trace_printk with the format at kernel address format. args are
// its packed arguments, in the byte order and word size of env. For an unknown format, it appends
// the message of trace-cmd.
//
// An argument after the end of args is 0, or an empty string. An unknown conversion ends the text,
// as it ended the packing (vbin_printf in lib/vsprintf.c). The text has at most MaxWidth bytes.
func BinPrintf(dst []byte, env *Env, format uint64, args []byte) []byte {
	text, ok := env.lookup(env.word(format))
	if !ok {
		dst = append(dst, "(NO FORMAT FOUND at "...)
		return append(HexLower(dst, env.word(format)), ")\n"...)
	}
	start := len(dst)
	p := packed{b: args, word: env.wordSize(), big: env.bigEndian()}
	for i := 0; i < len(text) && len(dst)-start < MaxWidth; {
		lit := i
		for i < len(text) && text[i] != '%' {
			i++
		}
		dst = append(dst, text[lit:i]...)
		if i == len(text) {
			break
		}
		var d directive
		if d, i = parseDirective(text, i+1); d.spec.Verb == 0 {
			break
		}
		dst = d.append(dst, env, &p)
	}
	return dst[:min(len(dst), start+MaxWidth)]
}

// directive is one conversion of a format.
type directive struct {
	spec                Spec
	size                int    // size of an integer argument in bytes; 0 for a word
	ext                 string // letters and digits after %p
	starWidth, starPrec bool
}

// parseDirective parses the conversion after the percent sign at text[i-1] and returns the index of
// the text after it. Verb is 0 if the kernel does not know the conversion. Like format_decode, it
// accepts the parts in one order only.
func parseDirective(text string, i int) (directive, int) {
	d := directive{spec: Spec{Prec: -1}, size: 4}
	i = d.flags(text, i)
	d.spec.Width, i = decimal(text, i)
	if i < len(text) && text[i] == '*' {
		d.starWidth = true
		i++
	}
	if i < len(text) && text[i] == '.' {
		i++
		if at := i; i < len(text) && text[i] == '*' {
			d.starPrec = true
			i++
		} else if n, end := decimal(text, i); end > at {
			d.spec.Prec, i = n, end
		}
	}
	i = d.qualifier(text, i)
	if i >= len(text) {
		return d, i
	}
	switch c := text[i]; c {
	case 'd', 'i', 'u', 'x', 'X', 'o', 's', '%':
		d.spec.Verb = c
	case 'c':
		d.spec.Verb, d.size = c, 1
	case 'p':
		d.spec.Verb, d.size = c, 0
		ext := i + 1
		for i+1 < len(text) && isAlnum(text[i+1]) {
			i++
		}
		d.ext = text[ext : i+1]
	}
	return d, i + 1
}

func (d *directive) flags(text string, i int) int {
	for ; i < len(text); i++ {
		switch text[i] {
		case '-':
			d.spec.Minus = true
		case '+':
			d.spec.Plus = true
		case ' ':
			d.spec.Space = true
		case '#':
			d.spec.Sharp = true
		case '0':
			d.spec.Zero = true
		default:
			return i
		}
	}
	return i
}

func (d *directive) qualifier(text string, i int) int {
	if i >= len(text) {
		return i
	}
	double := i+1 < len(text) && text[i+1] == text[i]
	switch text[i] {
	case 'h':
		d.size = 2
		if double {
			d.size = 1
		}
	case 'l':
		d.size = 0
		if double {
			d.size = 8
		}
	case 'L':
		d.size, double = 8, false
	case 'z', 'Z', 't':
		d.size, double = 0, false
	default:
		return i
	}
	if double {
		return i + 2
	}
	return i + 1
}

// decimal reads digits at i. A number above MaxWidth becomes MaxWidth.
func decimal(text string, i int) (n, end int) {
	for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		n = min(n*10+int(text[i]-'0'), MaxWidth)
	}
	return n, i
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// append reads the arguments of d from p and prints them.
func (d *directive) append(dst []byte, env *Env, p *packed) []byte {
	s := d.spec
	if d.starWidth {
		s = s.With(int64(int32(p.uint(4))), 0, true, false)
	}
	if d.starPrec {
		// format_decode treats a negative precision as 0. In C it means no precision.
		s = s.With(0, max(int64(int32(p.uint(4))), 0), false, true)
	}
	start := len(dst)
	switch s.Verb {
	case '%':
		return append(dst, '%')
	case 's':
		return Pad(append(dst, p.text()...), start, s)
	case 'c':
		return Char(dst, p.uint(1), s)
	case 'p':
		return d.appendPointer(dst, env, p, s)
	case 'd', 'i':
		// bstr_printf of a 32-bit kernel loses the sign of %ld and %zd. This code does not.
		size := d.size
		if size == 0 {
			size = p.word
		}
		shift := 64 - 8*size
		return Int(dst, int64(p.uint(size)<<shift)>>shift, s)
	}
	return Uint(dst, p.uint(d.size), s)
}

// appendPointer prints %p and its extensions. Some extensions dereference the pointer: the kernel
// rendered them when it recorded the event, and their arguments are text. The arguments of the
// other extensions are words. Kernels before 4.20 stored words for all of them. A text begins with
// a printable character (or is empty), but an address does not.
func (d *directive) appendPointer(dst []byte, env *Env, p *packed, s Spec) []byte {
	start := len(dst)
	kind := byte(0)
	if d.ext != "" {
		kind = d.ext[0]
	}
	s.Prec = -1
	switch kind {
	case 'S':
		return Pad(SymbolOffset(dst, env, p.uint(0)), start, s)
	case 's':
		return Pad(Symbol(dst, env, p.uint(0)), start, s)
	case 'x':
		return Pad(PointerHex(dst, env, p.uint(0)), start, s)
	case 'e':
		return Pad(Errno(dst, env, p.uint(0)), start, s)
	case 'f', 'F':
		// Until 5.5 the function of a descriptor. Later there is only %pfw, a firmware node.
		if len(d.ext) > 1 && d.ext[1] == 'w' {
			break
		}
		if kind == 'F' {
			return Pad(SymbolOffset(dst, env, p.uint(0)), start, s)
		}
		return Pad(Symbol(dst, env, p.uint(0)), start, s)
	}
	if kind == 0 || kind == 'K' || !p.atText() {
		return Pad(Pointer(dst, env, p.uint(0)), start, s)
	}
	return append(dst, p.text()...) // it was padded when it was rendered
}

// packed reads the arguments that vbin_printf of lib/vsprintf.c stored: integers at a multiple of
// their size, but at most 4, and texts at any place.
type packed struct {
	b    []byte
	at   int
	word int
	big  bool
}

// uint returns the next integer of size bytes, zero-extended. A size of 0 means a word.
func (p *packed) uint(size int) uint64 {
	if size == 0 {
		size = p.word
	}
	align := min(size, 4)
	p.at = (p.at + align - 1) &^ (align - 1)
	if p.at+size > len(p.b) {
		p.at = len(p.b)
		return 0
	}
	v := uintOf(p.b[p.at:p.at+size], p.big)
	p.at += size
	return v
}

// text returns the next string and skips its NUL.
func (p *packed) text() []byte {
	s := CString(p.b[min(p.at, len(p.b)):])
	p.at = min(p.at+len(s)+1, len(p.b))
	return s
}

func (p *packed) atText() bool {
	if p.at >= len(p.b) {
		return true
	}
	c := p.b[p.at]
	return c == 0 || c >= ' ' && c <= '~'
}

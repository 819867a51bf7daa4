package uftrace

import (
	"strconv"
	"strings"
)

// place is how the recorder finds a value. Two specs of a function are the same value when their places are equal.
type place uint8

const (
	byIndex    place = iota // arg1, retval
	byFloat                 // fparg1, or any with format f
	inRegister              // %rdi
	onStack                 // %stack+1
)

func (s *Spec) place() place {
	switch {
	case s.Location == "" && (s.Float || s.Format == 'f'):
		return byFloat
	case s.Location == "":
		return byIndex
	case strings.HasPrefix(s.Location, "stack"):
		return onStack
	}
	return inRegister
}

// sameValue tells whether a spec names the value of another (uftrace.md 1.7).
func (s *Spec) sameValue(old *Spec) bool {
	p := s.place()
	if p != old.place() {
		return false
	}
	switch p {
	case inRegister:
		return lastRegister(s.Location) == lastRegister(old.Location)
	case onStack:
		return stackOffset(s.Location) == stackOffset(old.Location)
	}
	return s.Index == old.Index
}

// lastRegister is the one that counts of the registers of a structure.
func lastRegister(loc string) string {
	return strings.ToLower(loc[strings.LastIndexByte(loc, '+')+1:])
}

func stackOffset(loc string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(loc, "stack"), "+"))
	return n
}

// String is the spec as text: arg1/i32%rdi. Sizes are always written.
func (s Spec) String() string {
	b := make([]byte, 0, 32)
	switch {
	case s.Result:
		b = append(b, "retval"...)
	case s.Float:
		b = strconv.AppendInt(append(b, "fparg"...), int64(s.Index), 10)
	default:
		b = strconv.AppendInt(append(b, "arg"...), int64(s.Index), 10)
	}
	b = append(b, '/', s.Format)
	switch s.Format {
	case 's', 'S', 'c':
	case 'e':
		b = append(append(b, ':'), s.TypeName...)
	case 't':
		b = strconv.AppendInt(b, int64(s.Size), 10)
		if s.TypeName != "" {
			b = append(append(b, ':'), s.TypeName...)
		}
	default:
		b = strconv.AppendInt(b, int64(s.Size)*8, 10)
	}
	if s.Location != "" {
		b = append(append(b, '%'), s.Location...)
	}
	return string(b)
}

// specReader reads the words behind the @ of an item.
type specReader struct {
	wordSize int // default size of numbers: 4 in 32-bit recordings
}

// words reads specs and what else is there: the names of modules.
func (r specReader) words(text string) (specs []Spec, module string) {
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		if s, ok := r.spec(word); ok {
			specs = append(specs, s)
		} else if !isSpecWord(word) && !strings.Contains(word, "=") {
			module = word
		}
	}
	return specs, module
}

// isSpecWord tells a spec, also a wrong one, from a module.
func isSpecWord(word string) bool {
	for _, prefix := range []string{"arg", "fparg"} {
		if rest, ok := strings.CutPrefix(word, prefix); ok && rest != "" && isDigit(rest[0]) {
			return true
		}
	}
	return strings.HasPrefix(word, "retval")
}

// spec reads one: arg1/i32, fparg2/64%stack+1, retval/e:kind.
func (r specReader) spec(word string) (Spec, bool) {
	s := Spec{Format: 'd', Size: r.wordSize}
	rest, ok := word, false
	if rest, ok = strings.CutPrefix(word, "retval"); ok {
		s.Result = true
	} else {
		if rest, ok = strings.CutPrefix(word, "fparg"); ok {
			s.Float, s.Format, s.Size = true, 'f', 8
		} else if rest, ok = strings.CutPrefix(word, "arg"); !ok {
			return s, false
		}
		if s.Index, rest, ok = leadingNumber(rest); !ok {
			return s, false
		}
	}
	format, loc, located := strings.Cut(rest, "%")
	if located {
		s.Location = loc
	}
	if format == "" {
		return s, !located || loc != ""
	}
	if format[0] != '/' {
		return s, false
	}
	return s, s.setFormat(format[1:]) && (!located || loc != "")
}

// setFormat reads what is behind the slash.
func (s *Spec) setFormat(f string) bool {
	if f == "" {
		return true
	}
	if s.Float && isDigit(f[0]) {
		return s.setBits(f)
	}
	s.Format = f[0]
	f = f[1:]
	switch s.Format {
	case 'd', 'i', 'u', 'x', 'o', 'p':
		return f == "" || s.setBits(f)
	case 'f':
		s.Size = 8
		return f == "" || s.setBits(f)
	case 'c':
		s.Size = 1
		return true
	case 's', 'S':
		s.Size = 0
		return true
	case 'e':
		name, ok := strings.CutPrefix(f, ":")
		s.TypeName = name
		return ok && name != ""
	case 't':
		n, rest, ok := leadingNumber(f)
		s.Size, s.TypeName = n, strings.TrimPrefix(rest, ":")
		return ok
	}
	return false
}

func (s *Spec) setBits(f string) bool {
	n, rest, ok := leadingNumber(f)
	s.Size = n / 8
	switch n {
	case 8, 16, 32, 64:
		return ok && rest == ""
	case 80:
		return ok && rest == "" && s.Format == 'f'
	}
	return false
}

// maxNumber bounds the numbers of specs.
const maxNumber = 1 << 20

// leadingNumber reads the decimal digits that text begins with.
func leadingNumber(text string) (n int, rest string, ok bool) {
	i := 0
	for ; i < len(text) && isDigit(text[i]) && n < maxNumber; i++ {
		n = n*10 + int(text[i]-'0')
	}
	return n, text[i:], i > 0 && n < maxNumber
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

package uftrace

import "strings"

// ParseSpecs reads argument specs: arg1/i32,fparg2/64%stack+1,retval/e:kind. wordSize is the
// default size of numbers: 4 in 32-bit recordings, else 8. ok is false if text contains anything
// else: uftrace then rejects the whole list.
func ParseSpecs(text string, wordSize int) (specs []Spec, ok bool) {
	r := specReader{wordSize: wordSize}
	for word := range strings.SplitSeq(text, ",") {
		if word == "" {
			continue
		}
		s, ok := r.spec(word)
		if !ok {
			return nil, false
		}
		specs = append(specs, s)
	}
	return specs, true
}

// specReader reads the words after the @ of an item. uftrace.md 1.7 has the grammar. The treatment
// of errors was tested with uftrace 0.13.
type specReader struct {
	wordSize int  // default size of numbers
	x86      bool // only the registers of arguments of x86 count as registers
}

// words reads the specs of arguments, or the specs of results, and the name of a module. The module
// is the first word without another meaning. ok is false if a spec is wrong: the item then has no
// effect. Other words (filter, depth=1) are for triggers.
func (r specReader) words(text string, results bool) (specs []Spec, module string, ok bool) {
	for word := range strings.SplitSeq(text, ",") {
		switch kind := wordKind(word); {
		case word == "" || kind == actionWord:
		case kind == moduleWord:
			if module == "" {
				module = word
			}
		case (kind == resultWord) == results:
			s, ok := r.spec(word)
			if !ok {
				return specs, "", false // the earlier specs are for debug information
			}
			specs = append(specs, s)
		}
	}
	return specs, module, true
}

type kindOfWord uint8

const (
	moduleWord kindOfWord = iota
	argWord
	resultWord
	actionWord
)

// actions are the words of triggers, in upper or lower case. Words that end in = have a value.
var actions = []string{"filter", "notrace", "depth=", "backtrace", "trace", "trace_on", "trace-on", "traceon",
	"trace_off",
	"trace-off", "traceoff", "recover", "finish", "time=", "size=", "read=", "color=", "caller", "hide", "auto-args"}

func wordKind(word string) kindOfWord {
	switch {
	case strings.HasPrefix(word, "arg"), strings.HasPrefix(word, "fparg"):
		return argWord
	case strings.HasPrefix(word, "retval"):
		return resultWord
	}
	for _, a := range actions {
		if len(word) >= len(a) && strings.EqualFold(word[:len(a)], a) && (len(word) == len(a) || a[len(a)-1] == '=') {
			return actionWord
		}
	}
	return moduleWord
}

// spec reads one spec: arg1/i32, fparg2/64%stack+1, retval/e:kind.
func (r specReader) spec(word string) (Spec, bool) {
	s := Spec{Format: 'd', Size: r.wordSize}
	rest, ok := strings.CutPrefix(word, "retval")
	if s.Result = ok; !ok {
		if rest, ok = strings.CutPrefix(word, "fparg"); ok {
			s.Float, s.Format, s.Size = true, 'f', 8
		} else if rest, ok = strings.CutPrefix(word, "arg"); !ok {
			return s, false
		}
		if s.Index, rest, ok = leadingNumber(rest); !ok {
			return s, false
		}
		s.Result = s.Index == 0 // in uftrace, the result has this number
	}
	format, loc, located := strings.Cut(rest, "%")
	if format != "" && (format[0] != '/' || !s.setFormat(format[1:], r.wordSize)) {
		return s, false
	}
	s.Location = loc
	return s, !located || r.location(&s)
}

// setFormat reads the text after the slash.
func (s *Spec) setFormat(f string, wordSize int) bool {
	if f == "" {
		return false
	}
	if s.Float && isDigit(f[0]) {
		return s.setBits(f)
	}
	s.Format, s.Size = f[0], wordSize
	f = f[1:]
	switch s.Format {
	case 'd', 'i', 'u', 'x', 'o', 'p':
		return f == "" || s.setBits(f)
	case 'f':
		s.Size = 8
		return f == "" || s.setBits(f)
	case 'c':
		s.Size = 1
		return f == "" || s.setBits(f)
	case 's', 'S':
		ok := f == "" || s.setBits(f)
		s.Size = 0
		return ok
	case 'e':
		name, ok := strings.CutPrefix(f, ":")
		s.TypeName = name
		return ok && name != ""
	case 't':
		n, rest, ok := 0, f, true
		if f != "" && isDigit(f[0]) {
			n, rest, ok = leadingNumber(f)
		}
		if name, named := strings.CutPrefix(rest, ":"); named {
			s.TypeName = name
		}
		s.Size = n
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

// location checks the text after the percent sign. Structures may be anywhere.
func (r specReader) location(s *Spec) bool {
	loc := s.Location
	if s.Format == 't' || strings.HasPrefix(loc, "stack") {
		return true
	}
	return r.register(strings.ToLower(loc))
}

// maxNumber limits the numbers of specs.
const maxNumber = 1 << 30

// leadingNumber reads the decimal digits at the start of text.
func leadingNumber(text string) (n int, rest string, ok bool) {
	i := 0
	for ; i < len(text) && isDigit(text[i]) && n <= maxNumber/10; i++ {
		n = n*10 + int(text[i]-'0')
	}
	return n, text[i:], i > 0 && n <= maxNumber && (i == len(text) || !isDigit(text[i]))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

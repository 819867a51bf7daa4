package uftrace

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// special are the characters that turn a name into a pattern.
const special = ".?*+-^$|()[]{}"

// exactPattern reports whether a pattern is a plain name. Everything that begins with "operator "
// is also a plain name.
func exactPattern(pattern string) bool {
	return !strings.ContainsAny(pattern, special) || strings.HasPrefix(pattern, "operator ")
}

// compilePattern returns a matcher for one pattern that is not exact. It returns nil for an invalid
// pattern, which then matches nothing.
func compilePattern(pattern string, glob bool) func(name string) bool {
	if glob {
		return func(name string) bool { return fnmatch(pattern, name) }
	}
	if start, ok := strings.CutPrefix(pattern, "^"); ok && utf8.ValidString(start) &&
		!strings.ContainsAny(start, special+`\`) {
		return func(name string) bool { return strings.HasPrefix(name, start) }
	}
	text, words, ok := translate(pattern)
	if !ok {
		return nil
	}
	compile := regexp.CompilePOSIX
	if words {
		compile = regexp.Compile
	}
	re, err := compile(text)
	if err != nil {
		return nil
	}
	return re.MatchString
}

// translate converts an extended regular expression of the C library for package regexp. In
// addition to POSIX, the C library has classes (\w) and ends of words (\<, \b), and a backslash
// within brackets is a character. Back references are not possible. words reports ends of words,
// which CompilePOSIX does not support.
func translate(pattern string) (text string, words, ok bool) {
	b := make([]byte, 0, len(pattern)+16)
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '[':
			width := setWidth(pattern[i:])
			if width == 0 {
				return "", false, false
			}
			b = append(b, strings.ReplaceAll(pattern[i:i+width], `\`, `\\`)...)
			i += width - 1
		case '\\':
			if i++; i == len(pattern) {
				return "", false, false
			}
			part, ok := escape(pattern[i : i+1])
			if !ok {
				return "", false, false
			}
			words = words || strings.HasPrefix(part, `\b`) || part == `\B`
			b = append(b, part...)
		case '(':
			if i+1 < len(pattern) && pattern[i+1] == '?' {
				return "", false, false
			}
			b = append(b, c)
		default:
			b = append(b, c)
		}
	}
	return string(b), words, true
}

// escape translates the character after a backslash.
func escape(c string) (string, bool) {
	switch c[0] {
	case 'w':
		return `[[:alnum:]_]`, true
	case 'W':
		return `[^[:alnum:]_]`, true
	case 's':
		return `[[:space:]]`, true
	case 'S':
		return `[^[:space:]]`, true
	case '<', '>', 'b':
		return `\b`, true
	case 'B':
		return `\B`, true
	case '`':
		return `^`, true
	case '\'':
		return `$`, true
	}
	return regexp.QuoteMeta(c), !isDigit(c[0])
}

// setWidth returns the length of the bracket expression at the start of text, or 0 if it has no
// end.
func setWidth(text string) int {
	i := 1
	if i < len(text) && text[i] == '^' {
		i++
	}
	for first := true; i < len(text); first = false {
		if text[i] == ']' && !first {
			return i + 1
		}
		if text[i] == '[' && i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0 {
			end := strings.Index(text[i+2:], text[i+1:i+2]+"]")
			if end < 0 {
				return 0
			}
			i += end + 4
			continue
		}
		i++
	}
	return 0
}

// Match compiles a pattern of the options of uftrace: a name, a POSIX extended regular expression
// that may match anywhere, or a glob for the whole name. Semicolons separate several patterns. The
// result matches names that shown has made from mangled names. A mangled name in the pattern is
// replaced by its shown name. Text after an @ does not belong to the name.
func Match(pattern string, glob bool, shown func(mangled string) string) func(name string) bool {
	var exact []string
	var others []func(string) bool
	for item := range strings.SplitSeq(pattern, ";") {
		item, _, _ = strings.Cut(item, "@")
		if item = shown(item); item == "" {
			continue
		}
		if exactPattern(item) {
			exact = append(exact, item)
		} else if m := compilePattern(item, glob); m != nil {
			others = append(others, m)
		}
	}
	return func(name string) bool {
		if slices.Contains(exact, name) {
			return true
		}
		for _, m := range others {
			if m(name) {
				return true
			}
		}
		return false
	}
}

// fnmatch is the C library's fnmatch without flags: * ? [a-z] [!a-z] [[:alpha:]] and the backslash.
// The whole name must match. It takes at most len(pattern)*len(name) steps.
func fnmatch(pattern, name string) bool {
	p, n := 0, 0
	star, from := -1, 0 // the last *, and the place where the name continues after it
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, from = p, n
			p++
			continue
		}
		if p < len(pattern) {
			if width, ok := matchOne(pattern[p:], name[n]); ok {
				p, n = p+width, n+1
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, n = star+1, from
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchOne matches a byte with the start of a pattern, and returns the length of this start.
func matchOne(pattern string, c byte) (width int, ok bool) {
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		if width, in, ok := matchSet(pattern, c); ok {
			return width, in
		}
		return 1, c == '['
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == c
		}
		return 1, false
	}
	return 1, pattern[0] == c
}

// matchSet matches [set]. ok is false if the bracket is not closed.
func matchSet(pattern string, c byte) (width int, in, ok bool) {
	i, not := 1, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		not = true
		i++
	}
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			return i + 1, in != not, true
		}
		if strings.HasPrefix(pattern[i:], "[:") {
			if end := strings.Index(pattern[i:], ":]"); end > 0 {
				in = in || inClass(pattern[i+2:i+end], c)
				i += end + 2
				continue
			}
		}
		lo := pattern[i]
		if lo == '\\' && i+1 < len(pattern) {
			i++
			lo = pattern[i]
		}
		hi := lo
		if i+2 < len(pattern) && pattern[i+1] == '-' && pattern[i+2] != ']' {
			hi = pattern[i+2]
			i += 2
		}
		in = in || c >= lo && c <= hi
		i++
	}
	return 0, false, false
}

func inClass(name string, c byte) bool {
	upper, lower, digit := c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', isDigit(c)
	switch name {
	case "alpha":
		return upper || lower
	case "digit":
		return digit
	case "alnum":
		return upper || lower || digit
	case "upper":
		return upper
	case "lower":
		return lower
	case "space":
		return c == ' ' || c >= '\t' && c <= '\r'
	case "blank":
		return c == ' ' || c == '\t'
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	case "punct":
		return c > ' ' && c < 0x7f && !upper && !lower && !digit
	case "print":
		return c >= ' ' && c < 0x7f
	case "graph":
		return c > ' ' && c < 0x7f
	case "cntrl":
		return c < ' ' || c == 0x7f
	}
	return false
}

package view

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// query holds the parameters of a request. It keeps the first error.
type query struct {
	values url.Values
	ctx    context.Context
	err    error
}

// number returns a parameter between two bounds.
func (q *query) number(name string, least, most int64) int64 {
	text := q.values.Get(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		q.fail("%s is %q, not a number from %d to %d", name, text, least, most)
		return least
	}
	return n
}

// time returns a parameter that is a time relative to base. It may be negative.
func (q *query) time(name string, base uint64) uint64 {
	text := q.values.Get(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		q.fail("%s is %q, not a time", name, text)
		return base
	}
	t := base + uint64(n)
	switch {
	case n < 0 && t > base:
		return 0
	case n > 0 && t < base:
		return math.MaxUint64
	}
	return t
}

func (q *query) fail(format string, args ...any) {
	if q.err == nil {
		q.err = fmt.Errorf(format, args...)
	}
}

// answer writes the answer to a request: bytes unchanged, anything else as JSON. It ignores errors
// of writing, which mean that the client is gone.
func answer(w http.ResponseWriter, v any) {
	b, ok := v.([]byte)
	if ok {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(b)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// shown returns a text of the recording for display. Invalid UTF-8 and control characters become \x
// and two digits. Characters that are invisible or change the direction of text become \u and four
// digits.
func shown(s string) string {
	plain := true
	for _, r := range s {
		if r == utf8.RuneError || !visible(r) {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1, unicode.IsControl(r):
			for i := range n {
				fmt.Fprintf(&b, `\x%02x`, s[i])
			}
		case !visible(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		s = s[n:]
	}
	return b.String()
}

// visible reports whether a character is visible. U+2028 and U+2029 are not, since they end lines.
func visible(r rune) bool {
	return !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) && r != '\u2028' && r != '\u2029'
}

package callstack

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/internal/suggest"
)

// words are the names of all actions. The words from recover on affect only a recorder.
var words = []string{
	"filter", "notrace", "depth", "time", "size", "trace_on", "trace_off", "traceon", "traceoff", "trace", "hide",
	"caller",
	"backtrace", "color", "if", "recover", "finish", "read", "retval", "auto_args", "auto-args", "callsite", "clear",
}

// actionWords are the beginnings of the words that uftrace takes as actions, in upper or lower
// case. uftrace compares no more characters than these: hidex also means hide. The first that fits
// is used.
var actionWords = []string{
	"filter", "notrace", "depth=", "time=", "size=", "trace_on", "trace_off", "trace", "hide", "caller", "backtrace",
	"color=",
	"recover", "finish", "read=", "auto_args", "callsite", "clear",
}

// actionOf returns the action of a word by actionWords, or "".
func actionOf(word string) string {
	word = strings.ReplaceAll(strings.ToLower(word), "-", "_")
	for from, to := range map[string]string{"traceon": "trace_on", "traceoff": "trace_off"} {
		if strings.HasPrefix(word, from) {
			return to
		}
	}
	for _, w := range actionWords {
		if strings.HasPrefix(word, w) {
			return w
		}
	}
	return ""
}

// mayHave reports whether an option with this action accepts a word. Besides their own action, -F
// and -N accept limits, hide and caller, while -C and -H accept no other one (tested with 0.13). A
// module and a condition are not actions.
func (c *action) mayHave(word string) bool {
	name := actionOf(word)
	if name == "" {
		return true
	}
	if c.flags&(doFilter|doNotrace) != 0 {
		switch name {
		case "depth=", "time=", "size=", "hide", "caller":
			return true
		}
	}
	same := action{}
	same.word(word)
	return same.flags == c.flags
}

// word adds the action of a word of a trigger. known is false if the word is not an action: it is
// then the module. doubt is a message about the action. If the action is rejected, uftrace drops
// the whole item.
func (c *action) word(word string) (known bool, doubt string, refuses bool) {
	if text, ok := strings.CutPrefix(word, "if:"); ok {
		c.cond, doubt = parseCondition(text)
		return true, doubt, doubt != ""
	}
	_, value, _ := strings.Cut(word, "=")
	switch actionOf(word) {
	case "filter":
		c.flags = c.flags&^doNotrace | doFilter
	case "notrace":
		c.flags = c.flags&^doFilter | doNotrace
	case "depth=":
		n, doubt := wholeNumber(value, 10)
		if n < 0 {
			return true, "a depth of " + value + " is refused", true
		}
		c.flags, c.depth = c.flags|doDepth, int32(min(n, 1<<20))
		return true, doubt, false
	case "time=":
		c.flags |= doTime
		c.time, doubt = parseTime(value)
	case "size=":
		n, doubt := wholeNumber(value, 0)
		c.flags, c.size = c.flags|doSize, uint64(max(n, 0))
		return true, doubt, false
	case "trace_on":
		c.flags |= doTraceOn
	case "trace_off":
		c.flags |= doTraceOff
	case "trace":
		c.flags |= doTrace
	case "hide":
		c.flags |= doHide
	case "caller":
		c.flags |= doCaller
	case "backtrace":
		c.flags |= doBacktrace
	case "color=":
		color, ok := colors[value]
		if !ok {
			return true, strconv.Quote(value) + " is no color" +
				suggest.DidYouMean(value, slices.Sorted(maps.Keys(colors))), false
		}
		c.flags, c.color = c.flags|doColor, color
	case "recover", "finish", "read=", "auto_args", "callsite", "clear":
	default:
		known = strings.HasPrefix(word, "arg") || strings.HasPrefix(word, "fparg") || strings.HasPrefix(word, "retval")
		return known, "", false
	}
	return true, doubt, false
}

// wholeNumber reads a number as uftrace does: text that does not begin with a number is 0.
func wholeNumber(s string, base int) (n int64, doubt string) {
	n, err := strconv.ParseInt(s, base, 64)
	if err == nil {
		return n, ""
	}
	digits := s
	for len(digits) > 0 && err != nil {
		digits = digits[:len(digits)-1]
		n, err = strconv.ParseInt(digits, base, 64)
	}
	return n, strconv.Quote(s) + " is not a whole number and counts as " + strconv.FormatInt(n, 10)
}

// parseTime reads a time with a unit. Without a unit it is in nanoseconds.
func parseTime(s string) (ns uint64, doubt string) {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.') {
		i++
	}
	v, err := strconv.ParseFloat(s[:i], 64)
	switch s[i:] {
	case "", "ns", "nsec":
	case "us", "usec":
		v *= 1e3
	case "ms", "msec":
		v *= 1e6
	case "s", "sec":
		v *= 1e9
	case "m", "min":
		v *= 60e9
	default:
		doubt = strconv.Quote(s[i:]) + " is not one of the units ns, us, ms, s, m"
	}
	if err != nil {
		doubt = strconv.Quote(s) + " is not a time and counts as 0"
	}
	return uint64(v), doubt
}

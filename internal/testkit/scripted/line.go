package scripted

import (
	"strconv"
	"strings"
	"testing"
)

// line is a line of a script.
type line struct {
	cpu    int
	time   uint64
	task   int32
	name   string
	flags  byte
	lost   int64
	cut    bool
	values []value
}

// value is the value of a field. If field is "", it is the next one.
type value struct{ field, text string }

// Flags of the common header.
const (
	hardirq = 8
	softirq = 16
)

func parse(t testing.TB, words []string) line {
	t.Helper()
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			t.Fatal(words, err)
		}
		return n
	}
	if len(words) < 4 {
		t.Fatal("no event: ", words)
	}
	l := line{cpu: int(number(words[0])), time: uint64(number(words[1])), task: int32(number(words[2]))}
	words = words[3:]
	for ; len(words) > 0 && l.name == ""; words = words[1:] {
		switch key, n, given := strings.Cut(words[0], "="); {
		case given && key == "lost":
			l.lost = number(n)
		case words[0] == "irq":
			l.flags |= hardirq
		case words[0] == "softirq":
			l.flags |= softirq
		case words[0] == "cut":
			l.cut = true
		default:
			l.name = words[0]
		}
	}
	for _, w := range words {
		v := value{text: w}
		if name, text, named := strings.Cut(w, "="); named {
			v = value{name, text}
		}
		l.values = append(l.values, v)
	}
	return l
}

package export

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/report/uftrace/internal/line"
)

// TestLine: lines equal fmt's, for any times and lengths of names.
func TestLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLines()
		var want strings.Builder
		at := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 3e9)).Draw(t, "begin")
		for range rapid.IntRange(1, 30).Draw(t, "lines") {
			at += uint64(rapid.OneOf(rapid.Int64Range(-1e6, 1e6), rapid.Int64Range(-2e9, 2e9), rapid.Int64()).Draw(t,
				"step"))
			text := strings.Repeat("i", rapid.IntRange(0, idRoom).Draw(t, "id"))
			name := strings.Repeat("n", rapid.IntRange(0, 2*line.Short).Draw(t, "name"))
			id := newID([]byte(text))
			l.line(at, &id, append(make([]byte, 0, rapid.IntRange(0, 3*line.Short).Draw(t, "room")), name...))
			fmt.Fprintf(&want, ",\n{\"ts\":%d.%03d%s%s", at/1000, at%1000, text, name)
		}
		if got := string(l.out); got != want.String() {
			t.Fatalf("got %q\nwant %q", got, want.String())
		}
	})
}

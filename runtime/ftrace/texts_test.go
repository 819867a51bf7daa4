package ftrace_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
)

// TestTextsOfAllSizes checks that texts fetched on demand are the texts of the file, in all sizes
// and in any order of fetching.
func TestTextsOfAllSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lines := func(format string) string {
		var b strings.Builder
		for size := 1 << (4 + r.IntN(14)); b.Len() < size; {
			fmt.Fprintf(&b, format, b.Len(), r.IntN(1000))
		}
		return b.String()
	}
	for i := range needs.Cases(t, 60, 400) {
		f := fill(tracefile.File{Machine: machines[0], Version: 6 + i%2})
		f.Kallsyms, f.Printk, f.Cmdlines = lines("%x T name%d\n"), lines("0x%x : \"text%d\"\n"), lines("%d comm%d\n")
		rec := openBytes(t, f.Bytes())
		texts := []struct {
			want string
			get  func(*ftrace.Recording) string
		}{{f.Kallsyms, (*ftrace.Recording).Kallsyms}, {f.Printk, (*ftrace.Recording).PrintkFormats},
			{f.Cmdlines, (*ftrace.Recording).Cmdlines}}
		for _, n := range r.Perm(len(texts)) {
			if got := texts[n].get(rec); got != texts[n].want {
				t.Fatalf("version %d, text %d of %d, %d and %d bytes is another one of %d bytes", f.Version, n,
					len(f.Kallsyms), len(f.Printk), len(f.Cmdlines), len(got))
			}
		}
	}
}

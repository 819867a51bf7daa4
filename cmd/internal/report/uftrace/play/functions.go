package play

import (
	"iter"

	"github.com/tracec/tracec/runtime/uftrace"
)

// Functions yields the functions that filters and triggers can choose: those of modules that a program had from its
// start, and of the kernel.
func Functions(rec *uftrace.Recording) iter.Seq[*uftrace.Symbol] {
	mapped := mappedModules(rec)
	return func(yield func(*uftrace.Symbol) bool) {
		for _, s := range rec.Symbols() {
			if mapped[s.Module] && !yield(s) {
				return
			}
		}
	}
}

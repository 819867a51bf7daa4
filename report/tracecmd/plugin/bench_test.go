package plugin

import (
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/runtime/record"
)

// BenchmarkHandlers prints the records of each case.
func BenchmarkHandlers(b *testing.B) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		b.Run(filepath.Base(file), func(b *testing.B) {
			c := loadCase(b, file)
			ctx := c.context(b, "")
			ctx.Peek = func() *record.Record { return nil }
			handlers := c.handlers(b, ctx)
			dst := make([]byte, 0, 1<<16)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				dst = handlers[c.records[n].ID](dst[:0], &c.records[n])
				if n++; n == len(c.records) {
					n = 0
				}
			}
		})
	}
}

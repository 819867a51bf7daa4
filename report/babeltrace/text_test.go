package babeltrace

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/report"
)

// scratch
func TestScratch(t *testing.T) {
	dir := os.Getenv("SCRATCH")
	if dir == "" {
		t.Skip()
	}
	all := Default()
	all.Names.SetNames("all")
	all.Fields.SetFields("all")
	all.Times = Times{Date: true}
	bare := Default()
	bare.Names.SetNames("none")
	bare.Fields.SetFields("loglevel,emf,trace:domain")
	bare.Times = Times{Seconds: true, NoDelta: true}
	cycles := Default()
	cycles.Names.SetNames("scope,header")
	cycles.Times = Times{Cycles: true, NoDelta: true}
	n, bad := 0, 0
	for _, g := range []string{"lttng", "perf", "babeltrace", "barectf", "tracecompass", "odd", "random"} {
		for _, s := range ctftest.Samples(t, g) {
			for _, m := range []struct {
				name string
				o    Options
			}{{"default.txt", Default()}, {"all.txt", all}, {"bare.txt", bare}, {"cycles.txt", cycles}} {
				want, ok := s.Texts[m.name]
				if !ok {
					continue
				}
				m.o.Times.Zone = time.UTC
				var out, msg bytes.Buffer
				job := &report.Job{Job: sources.Job{Path: ".", FS: s.Dir, Workers: 1, Warn: func(err error) { fmt.Fprintln(&msg, err) }}, Out: &out}
				err := job.Finish(Print(t.Context(), job, &report.Options{}, m.o))
				if err != nil {
					fmt.Fprintln(&msg, "error:", err)
				}
				n++
				if out.String() == want {
					continue
				}
				bad++
				base := filepath.Join(dir, g+"-"+s.Name+"."+m.name)
				os.WriteFile(base+".ours", out.Bytes(), 0o644)
				os.WriteFile(base+".want", []byte(want), 0o644)
				os.WriteFile(base+".msg", []byte(msg.String()+"--- err\n"+s.Texts["default.err"]), 0o644)
				a, b := strings.SplitAfter(want, "\n"), strings.SplitAfter(out.String(), "\n")
				for i := range max(len(a), len(b)) {
					x, y := "", ""
					if i < len(a) {
						x = a[i]
					}
					if i < len(b) {
						y = b[i]
					}
					if x != y {
						fmt.Printf("%s/%s %s line %d of %d/%d\n- %.300s\n+ %.300s\n", g, s.Name, m.name, i, len(a), len(b), strings.TrimSpace(x), strings.TrimSpace(y))
						break
					}
				}
			}
		}
	}
	fmt.Println(n, "texts", bad, "differ")
}

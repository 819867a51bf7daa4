package trcrpt

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
)

// askingTemplates use state from earlier events in all possible ways, or not at all.
const askingTemplates = `
500 1.0 L=APPL "PLAIN" "a=" X4 "b=" U4
510 1.0 L=KERN "SKIPPED" $D1, 1 $SKIP, \* "kept " X4
520 1.0 L=SVC "CONTEXT" "pid " $PID "tid " $TID "cpu " $CPUID "call " $SVC
530 1.0 L=APPL "TIMER" endtimer($D2, 7) starttimer($D1, 7)
540 1.0 L=APPL "LINES" "one" \n "two " X4 \t "three"
550 1.0 L=INT "WRONG" $D1, 1 { "no good" $ERROR }, \* "good"
560 1.0 L=0 "zero " X4
570 1.0 L=APPL "SHORT" X4 X4 X4 X4 X4 X4 X4 X4 X4
580 1.0 L=KERN "PLACE" $TRACEID $TRACEENV $LOGIDX0 $LOGFILE
590 1.0 L=KERN "WORKER" "process " $D1%U "thread " $D2%U
5A0 1.0 L=APPL "LONG" LOOP $D3 { "0123456789" }
5B0 1.0 L=KERN "BROKEN" $BUFF X4
`

const askingLayouts = "590 * info pid=1 tid=2\n"

const lineTemplate = `5C0 1.0 L=APPL "LINE" "is on line " $LINENO
`

const stopTemplate = `5C0 1.0 L=APPL "STOP" "and no more" $STOP
`

// askingFile writes events of all hooks of the templates.
func askingFile(t *testing.T, events int, kernel64 bool) string {
	t.Helper()
	var out bytes.Buffer
	w := aix.NewWriter(&out, aix.WriterOptions{Kernel64: kernel64})
	w.CPU = -1
	r := rand.New(rand.NewPCG(1, uint64(events)))
	for i := range events {
		w.Now += 1000 + r.Uint64N(1e6)
		w.TID = r.Uint64N(9)
		w.App64 = kernel64 && w.TID%3 != 0
		hook := uint32(0x50+r.IntN(12)) << 24
		if hook == 0x57000000 && r.IntN(10) > 0 {
			hook = 0x50000000
		}
		if i == events*3/4 {
			hook = 0x5C000000
		}
		w.TRCHKL5T(hook>>4<<4|uint32(i&0xF), r.Uint64N(3), r.Uint64N(5), r.Uint64N(300), uint64(i), 9)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "asking.trc")
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// reported returns a report and its warnings.
func reported(t *testing.T, o Options, workers int) (text string, warnings []string) {
	t.Helper()
	var out bytes.Buffer
	job := &report.Job{Job: sources.Job{
		Path:    o.Inputs[0],
		Workers: workers,
		Warn:    func(err error) { warnings = append(warnings, err.Error()) },
	}, Out: &out}
	if err := Run(t.Context(), &o, job); err != nil && !errors.Is(err, report.ErrDamaged) {
		t.Fatal(err)
	}
	return out.String(), warnings
}

// TestWorkersReportTheSame: a report and its warnings do not depend on the number of goroutines,
// for templates that use any state.
func TestWorkersReportTheSame(t *testing.T) {
	defer func(n int) { blockEvents = n }(blockEvents)
	layouts, err := trcfiles.ParseLayouts("layouts", strings.NewReader(askingLayouts))
	if err != nil {
		t.Fatal(err)
	}
	options := []string{"", "timestamp=1,exec=on,pid=on,tid=on,cpuid=on,svc=on", "2line=on,timestamp=2",
		"timestamp=3,ids=off,filename=on,reportedcpus=on",
		"pagesize=20", "removedups=on", "hist=on", "starttime=0.5,endtime=1.5"}
	// more than a worker's limit for a block
	long := strings.Replace(askingTemplates, `"PLAIN"`, `"PLAIN" "`+strings.Repeat("0123456789", 2000)+`"`, 1)
	for _, templates := range []string{askingTemplates, long, askingTemplates + lineTemplate,
		askingTemplates + stopTemplate} {
		names, events := templateFile(t, templates), 12_000 // several blocks of each size
		if templates == long {
			events = 3000
		}
		for _, kernel64 := range []bool{false, true} {
			file := askingFile(t, events, kernel64)
			for _, set := range needs.Some(t, options, 3) {
				o := Options{Inputs: []string{file}, Templates: names, Layouts: layouts, Merge: true}
				if set != "" {
					if err := o.Set(set); err != nil {
						t.Fatal(err)
					}
				}
				text, warnings := reported(t, o, 1)
				if set == "" && len(text) < 100*events {
					t.Fatalf("%d bytes: %.1000s %q", len(text), text, warnings)
				}
				for workers, size := range map[int]int{2: 700, 3: 2048, 5: 8192} {
					blockEvents = size
					got, told := reported(t, o, workers)
					if got != text {
						t.Errorf("64-bit %v, -O %s, %d workers: another report", kernel64, set, workers)
					}
					if d := cmp.Diff(warnings, told); d != "" {
						t.Errorf("64-bit %v, -O %s, %d workers (-one +several):\n%s", kernel64, set, workers, d)
					}
				}
			}
		}
	}
}

// TestWorkersReportDamage does the same with damaged recordings.
func TestWorkersReportDamage(t *testing.T) {
	names := templateFile(t, askingTemplates)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 30 {
		file := askingFile(t, 3000, i&1 == 0)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + r.IntN(20) {
			at := r.IntN(len(data) - 100)
			for j := range r.IntN(60) {
				data[at+j] ^= byte(r.IntN(256))
			}
		}
		if err := os.WriteFile(file, data[:len(data)-r.IntN(100)], 0o666); err != nil {
			t.Fatal(err)
		}
		o := Options{Inputs: []string{file}, Templates: names}
		text, warnings := reported(t, o, 1)
		got, told := reported(t, o, 3)
		if got != text || !cmp.Equal(warnings, told) {
			t.Errorf("%d: several goroutines report something else: %d bytes in place of %d; %s", i, len(got),
				len(text), cmp.Diff(warnings, told))
		}
	}
}

// fails is a writer that fails, or does something, after some bytes.
type fails struct {
	left int
	then func() error
}

func (f *fails) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, f.then()
	}
	return len(b), nil
}

// TestWorkersEnd: a writer that fails and a context that is done end all goroutines.
func TestWorkersEnd(t *testing.T) {
	o := Options{Inputs: []string{askingFile(t, 20_000, true)}, Templates: templateFile(t, askingTemplates)}
	before := runtime.NumGoroutine()
	full := errors.New("full")
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		at := r.IntN(1 << 20)
		ctx, cancel := context.WithCancel(t.Context())
		run := func(w io.Writer) error {
			return Run(ctx, &o, &report.Job{Job: sources.Job{Path: o.Inputs[0], Workers: 4, Warn: func(error) {}},
				Out: w})
		}
		if err := run(&fails{at, func() error { return full }}); !errors.Is(err, full) {
			t.Fatalf("after %d bytes: %v", at, err)
		}
		if err := run(&fails{at, func() error { cancel(); return nil }}); err != nil &&
			!errors.Is(err, context.Canceled) && !errors.Is(err, report.ErrDamaged) {
			t.Fatalf("after %d bytes: %v", at, err)
		}
		cancel()
	}
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

package dump_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/dump"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// run returns the output for files. It ignores errors: other tests check damage.
func run(t testing.TB, files fstest.MapFS, opts dump.Options) string {
	t.Helper()
	rec := uftracetest.Open(t, files)
	var out, beside bytes.Buffer
	if err := dump.Run(t.Context(), rec, opts, &out); err != nil {
		t.Fatal(err)
	}
	opts.Workers = 3
	if err := dump.Run(t.Context(), uftracetest.Open(t, files), opts, &beside); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(out.String(), beside.String()); d != "" {
		t.Errorf("with several goroutines (-one +several):\n%s", d)
	}
	return out.String()
}

func init() { dump.SmallPieces() }

// padding matches the padding that uftrace prints after a payload: bytes of its own memory, which
// look like the upper half of an address.
var padding = regexp.MustCompile(`(?m)^( <[0-9a-f]{16}>:.*)(?: 00 00 00 00| [0-9a-f]{2} 5[56] 00 00)$`)

// explained are the outputs that differ for a reason in testdata/differences.md.
var explained = map[string]bool{
	"big-endian/0.13/dump-debug.txt":    true, // uftrace prints its memory as a header, and crashes
	"kernel-events/0.13/dump.txt":       true, // 0.13 stops at discarded records
	"kernel-events/0.13/dump-debug.txt": true,
}

func TestSaved(t *testing.T) {
	for _, name := range uftracetest.Saved(t) {
		t.Run(name, func(t *testing.T) {
			files := uftracetest.Files(t, name)
			for file, want := range uftracetest.Outputs(t, name) {
				base := path.Base(file)
				if base != "dump.txt" && base != "dump-debug.txt" || explained[name+"/"+file] {
					continue
				}
				opts := dump.Options{Debug: base == "dump-debug.txt"}
				if path.Dir(file) == "0.19" {
					opts.Style = values.V019
				}
				got := run(t, files, opts)
				if opts.Debug {
					want, got = padding.ReplaceAllString(want, "$1 ?"), padding.ReplaceAllString(got, "$1 ?")
				}
				if name == "args-auto" { // uftrace crashed at a long double; the text before is compared
					if last := strings.LastIndexByte(want, '\n'); strings.HasPrefix(got, want[:last]) &&
						len(got) > len(want) {
						continue
					}
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s (-uftrace +ours):\n%s", file, d)
				}
			}
		})
	}
}

// filtered holds the output of uftrace 0.13 for abc-full, as lines of type, name and depth after
// the header.
var filtered = []struct {
	name string
	opts callstack.Options
	want string
}{
	{"filter", callstack.Options{Functions: callstack.Functions{Filters: []string{"b"}}}, `
[entry] b 2,[entry] c 3,[entry] getpid 4,[exit ] getpid 4,[exit ] c 3,[exit ] b 2,
[entry] b 2,[entry] c 3,[entry] getpid 4,[exit ] getpid 4,[exit ] c 3,[exit ] b 2`},
	{"notrace and depth", callstack.Options{Functions: callstack.Functions{Filters: []string{"main", "!b"}},
		Limits: callstack.Limits{Depth: 2}}, `
[entry] main 0,[entry] atoi 1,[exit ] atoi 1,[entry] a 1,[exit ] a 1,[entry] a 1,[exit ] a 1,
[entry] printf 1,[exit ] printf 1,[exit ] main 0`},
	{"hide", callstack.Options{Functions: callstack.Functions{Filters: []string{"b"}, Hide: []string{"c", "getpid"}}}, `
[entry] b 2,[exit ] b 2,[entry] b 2,[exit ] b 2`},
	{"range", callstack.Options{Scope: callstack.Scope{
		Range: callstack.Range{From: 3500, FromElapsed: true, To: 4400, ToElapsed: true}}}, `
[entry] main 0,[entry] atoi 1,[exit ] atoi 1,[entry] a 1,[entry] b 2,[entry] c 3`},
	{"tracing off",
		callstack.Options{Functions: callstack.Functions{Triggers: []string{"c@trace_on"}, Disable: true}}, `
[entry] c 3,[entry] getpid 4,[exit ] getpid 4,[exit ] c 3,[exit ] b 2,[exit ] a 1,[entry] a 1,[entry] b 2,
[entry] c 3,[entry] getpid 4,[exit ] getpid 4,[exit ] c 3,[exit ] b 2,[exit ] a 1,[entry] printf 1,[exit ] printf 1,
[exit ] main 0`},
	{"time has no meaning", callstack.Options{
		Functions: callstack.Functions{Filters: []string{"atoi"}, Triggers: []string{"main@time=1s"}},
		Limits:    callstack.Limits{Time: 1e9}}, `
[entry] atoi 1,[exit ] atoi 1`},
	{"no such thread", callstack.Options{Scope: callstack.Scope{TIDs: []int32{1}}}, ``},
}

var call = regexp.MustCompile(`(?m)^\S+ +\d+: (\[.{5}\]) (\w+)\([0-9a-f]+\) depth: (\d+)$`)

func TestFilters(t *testing.T) {
	files := uftracetest.Files(t, "abc-full")
	for _, c := range filtered {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range call.FindAllStringSubmatch(run(t, files, dump.Options{Play: c.opts}), -1) {
				got = append(got, m[1]+" "+m[2]+" "+m[3])
			}
			if d := cmp.Diff(strings.ReplaceAll(c.want, "\n", ""), strings.Join(got, ",")); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestMissed: as in uftrace, a filter that matches no function is reported and ignored.
func TestMissed(t *testing.T) {
	out := run(t, uftracetest.Files(t, "abc-full"),
		dump.Options{Play: callstack.Options{Functions: callstack.Functions{Filters: []string{"nosuch"}}}})
	if !strings.HasPrefix(out, "Usage: failed to set filter or trigger: nosuch\nuftrace file header") ||
		!strings.Contains(out, "main(") {
		t.Errorf("%.200s", out)
	}
}

// TestHostile changes bytes of recordings. A dump always ends, and damage is an error.
func TestHostile(t *testing.T) {
	recordings := uftracetest.All(t)
	rapid.Check(t, func(rt *rapid.T) {
		rec, err := uftrace.OpenFS(uftracetest.Damaged(rt, recordings, 4, true), "test")
		if err != nil {
			return
		}
		defer rec.Close()
		opts := dump.Options{Debug: rapid.Bool().Draw(rt, "debug")}
		opts.Play.Limits.Depth = rapid.IntRange(0, 3).Draw(rt, "depth")
		_ = dump.Run(context.Background(), rec, opts, io.Discard)
	})
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	rec := uftracetest.Open(t, uftracetest.Files(t, "abc-full"))
	if err := dump.Run(t.Context(), rec, dump.Options{}, full{}); !errors.Is(err, errFull) {
		t.Errorf("%v, want %v", err, errFull)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := dump.Run(ctx, rec, dump.Options{}, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// made are the filters of the made-up cases.
var made = map[string]callstack.Options{
	"": {},
	"-D 1 -r 2us~": {Limits: callstack.Limits{Depth: 1},
		Scope: callstack.Scope{Range: callstack.Range{From: 2000, FromElapsed: true}}},
}

func TestMade(t *testing.T) {
	uftracetest.CheckMade(t, "dump --no-pager", func(t *testing.T, rec *uftrace.Recording, args []string) string {
		var out bytes.Buffer
		opts, ok := made[strings.Join(args, " ")]
		if !ok {
			t.Fatal("unknown options ", args)
		}
		if err := dump.Run(t.Context(), rec, dump.Options{Play: opts}, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	})
}

package command

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// printing are commands that print recordings of a system with several goroutines. * is replaced by
// the recording, and ? by options that select events.
var printing = map[string][]string{
	"ftrace": {
		"report ? *", "report -R ? *", "report -N ? *", "stat ? *", "trace-cmd report -i *",
		"trace-cmd report -l -t -i *", "trace-cmd report --cpu 0 -i *",
		"export --to ndjson -o - ? *", "export --to csv -o - ? *", "export --to perfetto -o - ? *",
		"export --to chrome -o - ? *", "export --to folded -o - ? *",
	},
	"aix": {"report ? *", "trcrpt *", "trcrpt -O exec=on,pid=on,tid=on,cpuid=on *", "stat ? *",
		"export --to ndjson -o - ? *", "export --to perfetto -o - ? *"},
	"uftrace": {
		"report ? *", "uftrace replay -d *", "uftrace replay -D 3 -d *", "uftrace dump -d *", "uftrace report -d *",
		"uftrace graph -d *",
		"uftrace dump --chrome -d *", "uftrace dump --flame-graph -d *", "export --to csv -o - ? *",
		"export --to perfetto -o - ? *", "export --to folded -o - ? *",
	},
	"lttng": {"report ? *", "textdump *", "stat ? *", "export --to ndjson -o - ? *", "export --to perfetto -o - ? *"},
}

// choosable is a recording with the events and windows that can be selected.
type choosable struct {
	kind, path string
	times      []string
	names      []string
}

// printedRecordings returns the recordings of testdata.
func printedRecordings(t *testing.T) (list []choosable) {
	for kind, patterns := range map[string][]string{
		"ftrace": {"ftrace/*.dat", "ftrace/*.tar.zst"}, "aix": {"aix/*.trc"}, "uftrace": {"uftrace/*/data.tar.gz"},
		"lttng": {"lttng/*/*.tar.xz"},
	} {
		for _, pattern := range patterns {
			found, err := filepath.Glob(filepath.Join("../../testdata", pattern))
			if err != nil || len(found) == 0 {
				t.Fatal("nothing like ", pattern, err)
			}
			for _, name := range found {
				list = append(list, choosable{kind: kind, path: name})
			}
		}
	}
	slices.SortFunc(list, func(a, b choosable) int { return strings.Compare(a.path, b.path) })
	return list
}

var (
	printedTime = regexp.MustCompile(`\b\d+\.\d{6,9}\b`)
	listedName  = regexp.MustCompile(`(?m)^\S+`)
)

// look finds the events and windows that can be selected.
func (p *choosable) look() {
	if p.times != nil {
		return
	}
	_, text, _ := tracec(nil, "report", "--jobs", "1", p.path)
	p.times = append(printedTime.FindAllString(text, 2000), "0")
	_, text, _ = tracec(nil, "list", p.path)
	p.names = append(listedName.FindAllString(text, 200), "*")
}

// choose returns options at random.
func (p *choosable) choose(r *rand.Rand) (args []string) {
	p.look()
	if r.IntN(3) == 0 {
		args = append(args, "--since", p.times[r.IntN(len(p.times))])
	}
	if r.IntN(3) == 0 {
		args = append(args, "--until", p.times[r.IntN(len(p.times))])
	}
	if r.IntN(3) == 0 {
		args = append(args, "-e", p.names[r.IntN(len(p.names))]+","+p.names[r.IntN(len(p.names))])
	}
	if p.kind != "uftrace" && r.IntN(6) == 0 {
		args = append(args, "--cpu", strconv.Itoa(r.IntN(4)))
	}
	if r.IntN(6) == 0 {
		args = append(args, "-F", fmt.Sprintf(".*: common_pid %s %d", []string{"==", "<", ">"}[r.IntN(3)],
			r.IntN(3000)))
	}
	return args
}

// TestJobs checks that the output for random recordings, windows and events does not depend on the
// number of goroutines, and that no goroutine is left. TRACEC_JOBS=1000 draws 1000.
func TestJobs(t *testing.T) {
	draws := needs.Cases(t, 40, 200)
	if n, err := strconv.Atoi(os.Getenv("TRACEC_JOBS")); err == nil {
		draws = n
	}
	recordings := printedRecordings(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8)) // the largest number requested
	r := rand.New(rand.NewPCG(13, uint64(draws)))
	tracec(nil, "--version") // os/signal starts a goroutine
	before, good := runtime.NumGoroutine(), 0
	for range draws {
		p := &recordings[r.IntN(len(recordings))]
		all := printing[p.kind]
		var args []string
		for word := range strings.FieldsSeq(all[r.IntN(len(all))]) {
			switch word {
			case "?":
				args = append(args, p.choose(r)...)
			case "*":
				args = append(args, p.path)
			default:
				args = append(args, word)
			}
		}
		jobs := strconv.Itoa(2 + r.IntN(7))
		code, out, messages := tracec(nil, append(args, "--jobs", "1")...)
		code2, out2, messages2 := tracec(nil, append(args, "--jobs", jobs)...)
		if code != code2 || out != out2 || sortedLines(messages) != sortedLines(messages2) {
			t.Errorf("%q with %s goroutines: code %d and %d, %d and %d bytes, messages:\n%s\n%s", args, jobs, code,
				code2, len(out), len(out2), messages, messages2)
		}
		if code == exitOK && out != "" {
			good++
		}
	}
	if good < draws/3 {
		t.Errorf("only %d of %d printed something", good, draws)
	}
	for wait := time.Millisecond; runtime.NumGoroutine() > before; wait *= 2 {
		if wait > time.Second {
			t.Fatalf("%d goroutines, before %d", runtime.NumGoroutine(), before)
		}
		time.Sleep(wait)
	}
}

// sortedLines sorts lines, because the order of messages from several goroutines varies.
func sortedLines(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	front "github.com/tracec/tracec"
	"github.com/tracec/tracec/export/ndjson"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/runtime/record"
)

// grower is a recording whose files are written while it is read.
type grower struct {
	name    string
	files   map[string][]byte // by their paths; one called "" is the recording itself
	grows   func(path string) bool
	opening sources.Options
	waits   bool  // its streams may end before others
	early   int64 // bytes printed before the end
}

// cuts is the number of random cuts of a written recording: TRACEC_CUTS, if set.
func cuts(t *testing.T) int {
	n := needs.Cases(t, 20, 60)
	if s := os.Getenv("TRACEC_CUTS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// TestFollowCuts checks that the text of a growing recording is the text of the whole, for any
// appends.
func TestFollowCuts(t *testing.T) {
	for _, g := range growers(t) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			if s := os.Getenv("TRACEC_SEED"); s != "" {
				seed, _ = strconv.ParseUint(s, 10, 64)
			}
			want := g.whole(t)
			const most = 40 // of one run
			for n := max(cuts(t), most); n > 0; n -= most {
				if got := g.follow(t, rand.New(rand.NewPCG(seed, uint64(n))), min(n, most)); got != want {
					t.Fatalf("seed %d, %d cuts are left (-whole +followed):\n%.4000s", seed, n,
						cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
				}
			}
			if g.early == 0 && !g.waits {
				t.Error("nothing is printed before the end")
			}
		})
	}
}

// whole returns the report of the complete recording.
func (g *grower) whole(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "whole")
	for name, data := range g.files {
		appendTo(t, filepath.Join(path, name), data)
	}
	return g.report(t, path, nil, nil)
}

// appendTo appends to a file. It creates a missing file.
func appendTo(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(data)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// report prints a recording and its messages, without the file's name in messages.
func (g *grower) report(t *testing.T, path string, follow *record.Follow, out *output) string {
	t.Helper()
	var text bytes.Buffer
	var messages []string
	if out == nil {
		out = &output{Writer: &text}
	} else {
		out.Writer = &text
	}
	job := &report.Job{Job: sources.Job{
		Path:    path,
		Opening: g.opening,
		Follow:  follow,
		Workers: 1,
		Warn: func(err error) {
			if m := strings.ReplaceAll(err.Error(), path, "FILE"); !strings.Contains(m, "waiting for more") {
				messages = append(messages, m)
			}
		},
	}, Out: out}
	sys, err := job.Find(t.Context())
	if err == nil {
		err = all.Of(sys).Report(t.Context(), job, &report.Options{})
	}
	if err = job.Finish(err); err != nil {
		messages = append(messages, strings.ReplaceAll(err.Error(), path, "FILE"))
	}
	slices.Sort(messages)
	return strings.ReplaceAll(text.String(), path, "FILE") + strings.Join(messages, "\n")
}

// follow writes the recording in random pieces while it is read, and returns the report.
func (g *grower) follow(t *testing.T, random *rand.Rand, cuts int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "growing")
	var names []string
	for name := range g.files {
		if !g.grows(name) {
			appendTo(t, filepath.Join(path, name), g.files[name])
			continue
		}
		names = append(names, name)
		appendTo(t, filepath.Join(path, name), nil)
	}
	slices.Sort(names)
	until, end := context.WithCancel(t.Context())
	defer end()
	out := &output{}
	// Files are cut at random: with the long delay, no stream is passed over because it is silent.
	follow := &record.Follow{Until: until, Delay: time.Hour, Poll: time.Millisecond,
		Notify: func(err error) { t.Error(err) }}
	var wait sync.WaitGroup
	var text string
	wait.Go(func() { text = g.report(t, path, follow, out) })
	written := map[string]int{}
	for i := range cuts {
		for n := 0; i == cuts*3/4 && !g.waits && out.written.Load() == 0 && n < 5000; n++ { // until the heading is out
			time.Sleep(time.Millisecond)
		}
		for _, name := range names {
			rest := g.files[name][written[name]:]
			n := int(random.Float64() * 2 * float64(len(rest)) / float64(cuts-i))
			n = min(n, len(rest))
			appendTo(t, filepath.Join(path, name), rest[:n])
			written[name] += n
		}
		time.Sleep(time.Duration(random.IntN(4)) * time.Millisecond)
	}
	for _, name := range names {
		appendTo(t, filepath.Join(path, name), g.files[name][written[name]:])
	}
	g.early += out.written.Load()
	end()
	wait.Wait()
	return text
}

// growers returns recordings of all kinds that can be followed.
func growers(t *testing.T) []*grower {
	t.Helper()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("../../testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	templates := []string{filepath.Join("../../testdata/aix/shop.trcfmt")}
	every := func(string) bool { return true }
	var list []*grower
	for _, name := range []string{"shop64", "shop32"} {
		data := read("aix/" + name + ".trc")
		damaged := bytes.Clone(data)
		copy(damaged[len(damaged)/2:], "damage in the middle of it")
		for kind, data := range map[string][]byte{"": data, " cut short": data[:len(data)-7], " damaged": damaged} {
			list = append(list, &grower{name: "aix " + name + kind, files: map[string][]byte{"": data}, grows: every,
				opening: sources.Options{Templates: templates}})
		}
	}
	snapshot := unpacked(t, "ftrace/amd64-snapshot.tar.zst")
	raw := func(path string) bool { return strings.HasSuffix(path, "/trace_pipe_raw") }
	short, odd := maps.Clone(snapshot), maps.Clone(snapshot)
	for path, data := range snapshot {
		if raw(path) && len(data) > 10000 {
			short[path] = data[:len(data)-1000]
			odd[path] = bytes.Clone(data)
			copy(odd[path][5000:], "damage in the middle of it")
		}
	}
	for kind, files := range map[string]map[string][]byte{"": snapshot, " cut short": short, " damaged": odd} {
		list = append(list, &grower{name: "ftrace" + kind, files: files, grows: raw})
	}
	isData := func(path string) bool { return strings.HasSuffix(path, ".dat") && path != "extern.dat" }
	for _, name := range []string{"threads", "args-spec", "events", "kernel-events", "kernel-graph", "forkexec", "lost",
		"dlopen", "big-endian"} {
		files := unpacked(t, "uftrace/"+name+"/data.tar.gz")
		damaged, largest := maps.Clone(files), ""
		for path, data := range files {
			if isData(path) && len(data) > len(files[largest]) && !strings.Contains(path, "-cpu") {
				largest = path
			}
		}
		damaged[largest] = bytes.Clone(files[largest])
		copy(damaged[largest][len(files[largest])/2:], "damage in the middle of it")
		damaged[largest] = damaged[largest][:len(damaged[largest])-5]
		waits := slices.Contains([]string{"dlopen", "forkexec", "kernel-events", "kernel-graph"}, name)
		list = append(list, &grower{name: "uftrace " + name, files: files, grows: isData, waits: waits},
			&grower{name: "uftrace " + name + " damaged", files: damaged, grows: isData, waits: waits})
	}
	traces, err := filepath.Glob("../../testdata/lttng/*/*.tar.xz")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range traces {
		files := unpacked(t, strings.TrimPrefix(name, "../../testdata/"))
		isData := func(path string) bool {
			return !strings.Contains(path, "metadata") && !strings.Contains(path, "facilities") &&
				!strings.Contains(path, "eventdefs")
		}
		damaged, largest := maps.Clone(files), ""
		for path, data := range files {
			if isData(path) && (len(data) > len(files[largest]) || len(data) == len(files[largest]) && path < largest) {
				largest = path
			}
		}
		damaged[largest] = bytes.Clone(files[largest])
		copy(damaged[largest][len(files[largest])/2:], "damage in the middle of it")
		damaged[largest] = damaged[largest][:len(damaged[largest])-5]
		list = append(list, &grower{name: "lttng " + filepath.Base(name), files: files, grows: isData, waits: true},
			&grower{name: "lttng " + filepath.Base(name) + " damaged", files: damaged, grows: isData, waits: true})
	}
	return append(list, ctfGrowers(t)...)
}

// ctfGrowers returns traces in the Common Trace Format.
func ctfGrowers(t *testing.T) (list []*grower) {
	t.Helper()
	for _, name := range []string{"lttng-2.13.ust-basic", "lttng-2.13.ust-channels", "lttng-2.16-ctf2.ust-contexts"} {
		files := unpacked(t, "ctf/lttng/"+name+".tar.zst")
		damaged := maps.Clone(files)
		for path, data := range files {
			if len(data) > 3*4096 && !strings.HasSuffix(path, "metadata") {
				damaged[path] = bytes.Clone(data[:len(data)-100])
				copy(damaged[path][2*4096:], "damage")
			}
		}
		every := func(path string) bool { return !strings.HasSuffix(path, ".idx") }
		list = append(list, &grower{name: "ctf " + name, files: files, grows: every, waits: true},
			&grower{name: "ctf " + name + " damaged", files: damaged, grows: every, waits: true})
	}
	return list
}

// unpacked returns the files of a packed directory.
func unpacked(t *testing.T, name string) map[string][]byte {
	t.Helper()
	name = filepath.Join("../../testdata", name)
	var kinds []input.Kind
	for _, s := range sources.All() {
		kinds = append(kinds, input.Kind{Detect: s.Detect, Guess: s.Guess})
	}
	in, err := input.Open(t.Context(), name, nil, 0, kinds, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	files := map[string][]byte{}
	err = fs.WalkDir(in.Dir, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files[path], err = fs.ReadFile(in.Dir, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestFollowExports checks that the exporters read growing recordings like others, and stop when
// the context ends.
func TestFollowExports(t *testing.T) {
	for _, g := range growers(t) {
		if strings.Contains(g.name, " damaged") || strings.Contains(g.name, "cut") {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			path, growing := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "growing")
			for name, data := range g.files {
				appendTo(t, filepath.Join(path, name), data)
				if !g.grows(name) {
					appendTo(t, filepath.Join(growing, name), data)
				} else if name == "" {
					appendTo(t, growing, nil)
				}
			}
			whole, err := front.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer whole.Close()
			want := g.ndjson(t, t.Context(), whole)
			until, end := context.WithCancel(t.Context())
			defer end()
			var wait sync.WaitGroup
			wait.Go(func() {
				for i := range 10 {
					for name, data := range g.files {
						if g.grows(name) {
							appendTo(t, filepath.Join(growing, name), data[len(data)*i/10:len(data)*(i+1)/10])
						}
					}
					time.Sleep(2 * time.Millisecond)
				}
				end()
			})
			rec, err := front.Open(t.Context(), growing,
				front.WithFollow(record.Follow{Until: until, Delay: time.Hour, Poll: time.Millisecond}))
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			if got := g.ndjson(t, t.Context(), rec); got != want {
				t.Errorf("(-whole +followed):\n%.3000s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
			wait.Wait()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			forever, err := front.Open(ctx, growing, front.WithFollow(record.Follow{}))
			if err != nil {
				t.Fatal(err)
			}
			defer forever.Close()
			r, err := front.NewReader(forever, front.WithRecords(record.Options{Context: ctx}))
			if err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(20*time.Millisecond, cancel) // usually while the walk waits
			for range r.All() {
			}
			if !errors.Is(r.Err(), context.Canceled) {
				t.Errorf("a walk without an end ends with %v", r.Err())
			}
		})
	}
}

// ndjson exports a recording.
func (g *grower) ndjson(t *testing.T, ctx context.Context, rec record.Recording) string {
	t.Helper()
	r, err := front.NewReader(rec, front.WithRecords(record.Options{Context: ctx}))
	var b bytes.Buffer
	if err == nil {
		err = ndjson.Write(&b, r, ndjson.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFollowNewThreads: threads, and libraries that uftrace names during the recording, appear one
// by one.
func TestFollowNewThreads(t *testing.T) {
	for _, name := range []string{"threads", "forkexec", "dlopen"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := unpacked(t, "uftrace/"+name+"/data.tar.gz")
			// a killed recorder leaves no info; files of perf would add threads without files
			maps.DeleteFunc(files, func(path string, _ []byte) bool {
				return path == "info" || strings.HasPrefix(path, "perf-cpu")
			})
			g := &grower{files: files}
			want := strings.ReplaceAll(g.whole(t), "the recorder was killed",
				"the recorder writes it last, or was killed")
			path := filepath.Join(t.TempDir(), "growing")
			later := map[string][]byte{}
			for name, data := range files {
				switch {
				case strings.HasSuffix(name, ".dat"), strings.HasSuffix(name, ".map"):
					later[name] = data
				case name != "task.txt":
					appendTo(t, filepath.Join(path, name), data)
				}
			}
			until, end := context.WithCancel(t.Context())
			defer end()
			follow := &record.Follow{Until: until, Delay: time.Hour, Poll: time.Millisecond}
			text := make(chan string)
			go func() { text <- g.report(t, path, follow, nil) }()
			rest := string(files["task.txt"])
			// a program's map exists before its line, and threads exist after their lines
			for line := range strings.Lines(rest) {
				rest = rest[len(line):]
				for name := range later {
					id, isMap := strings.CutSuffix(strings.TrimPrefix(name, "sid-"), ".map")
					if isMap && strings.Contains(line, id) {
						appendTo(t, filepath.Join(path, name), later[name])
						delete(later, name)
					}
				}
				appendTo(t, filepath.Join(path, "task.txt"), []byte(line))
				time.Sleep(5 * time.Millisecond)
				for name := range later {
					if tid, ok := strings.CutSuffix(name, ".dat"); ok && strings.Contains(line, "id="+tid) &&
						!strings.Contains(rest, "id="+tid) {
						appendTo(t, filepath.Join(path, name), later[name])
						delete(later, name)
					}
				}
				time.Sleep(5 * time.Millisecond)
			}
			for name, data := range later {
				appendTo(t, filepath.Join(path, name), data)
			}
			end()
			if got := <-text; got != want {
				t.Errorf("(-whole +followed):\n%.3000s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
		})
	}
}

// TestFollowRotation checks that a recording that replaces a followed one is followed next and
// reported.
func TestFollowRotation(t *testing.T) {
	for _, g := range growers(t) {
		if len(g.files) > 1 || strings.Contains(g.name, "damaged") {
			continue
		}
		for _, how := range []string{"renamed", "truncated"} {
			t.Run(g.name+" "+how, func(t *testing.T) {
				t.Parallel()
				want := g.whole(t)
				path := filepath.Join(t.TempDir(), "rotated")
				appendTo(t, path, g.files[""])
				out := &output{}
				until, end := context.WithCancel(t.Context())
				defer end()
				told := make(chan error, 1)
				follow := &record.Follow{Until: until, Poll: time.Millisecond, Notify: func(err error) { told <- err }}
				text := make(chan string)
				go func() { text <- g.report(t, path, follow, out) }()
				for out.written.Load() < int64(strings.LastIndexByte(want[:len(want)/2], '\n')) {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(20 * time.Millisecond)
				if how == "renamed" {
					if err := os.Rename(path, path+".1"); err != nil {
						t.Fatal(err)
					}
				} else if err := os.Truncate(path, 0); err != nil {
					t.Fatal(err)
				}
				appendTo(t, path, g.files[""][:64])
				err := <-told
				if !errors.Is(err, record.ErrReplaced) || !strings.Contains(fmt.Sprint(err), how) {
					t.Errorf("message %v", err)
				}
				if got := <-text; got != want {
					t.Errorf("(-whole +followed):\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
				}
			})
		}
	}
}

package tracec_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
)

// events returns the texts of the selected events and the errors of a loop.
func events(rec *tracec.Recording, opts ...tracec.Option) (texts []string, errs []error) {
	for ev, err := range rec.Events(context.Background(), opts...) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		text, _ := ev.AppendText(nil)
		texts = append(texts, ev.Type.Name+": "+string(text))
	}
	return texts, errs
}

func open(t *testing.T, path string, opts ...tracec.OpenOption) *tracec.Recording {
	t.Helper()
	rec, err := tracec.Open(t.Context(), path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// textsOf returns the texts of the selected events of a recording that a container has opened.
func textsOf(t *testing.T, rec record.Recording, opts ...tracec.Option) (texts []string) {
	t.Helper()
	r, err := tracec.NewReader(rec, opts...)
	if err != nil {
		t.Fatal(err)
	}
	for ev := range r.All() {
		text, _ := ev.AppendText(nil)
		texts = append(texts, ev.Type.Name+": "+string(text))
	}
	return texts
}

const extract = "testdata/ftrace/amd64-extract.dat"

// TestDoors: a path, a file system and a reader give the same events, several times and at once.
func TestDoors(t *testing.T) {
	rec := open(t, extract)
	want, errs := events(rec)
	if len(want) == 0 || errs != nil {
		t.Fatalf("%d events, %v", len(want), errs)
	}
	fromFS, err := tracec.OpenFS(t.Context(), os.DirFS(filepath.Dir(extract)), filepath.Base(extract))
	if err != nil {
		t.Fatal(err)
	}
	defer fromFS.Close()
	data, err := os.ReadFile(extract)
	if err != nil {
		t.Fatal(err)
	}
	read, err := tracec.OpenReader(t.Context(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	z := zipped(t, "t.dat", data)
	packed, err := zip.NewReader(bytes.NewReader(z), int64(len(z)))
	if err != nil {
		t.Fatal(err)
	}
	fromZip, err := tracec.OpenFS(t.Context(), packed, "t.dat") // its files are read once
	if err != nil {
		t.Fatal(err)
	}
	defer fromZip.Close()
	var group sync.WaitGroup
	for _, r := range []*tracec.Recording{rec, rec, fromFS, read, fromZip} {
		group.Go(func() {
			if got, errs := events(r); !slices.Equal(got, want) || errs != nil {
				t.Errorf("%s: %d events, %v; want %d", r.Name(), len(got), errs, len(want))
			}
		})
	}
	group.Wait()
}

// zipped returns an archive of one file.
func zipped(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(data)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestSelections: each option selects the events that it describes. An option that makes no sense
// is an error.
func TestSelections(t *testing.T) {
	rec := open(t, extract)
	all, _ := events(rec)
	for name, opts := range map[string][]tracec.Option{
		"events":     {tracec.WithEvents("sched_wakeup")},
		"filter":     {tracec.WithFilter("sched_wakeup: target_cpu == 1")},
		"processors": {tracec.WithCPUs("1")},
		"threads":    {tracec.WithTasks("rcu_preempt")},
		"window":     {tracec.WithWindow("+0.01s", "-0.5s")},
		"limit":      {tracec.WithLimit(3)},
	} {
		got, errs := events(rec, opts...)
		if len(got) == 0 || len(got) >= len(all) || errs != nil {
			t.Errorf("%s: %d of %d events, %v", name, len(got), len(all), errs)
		}
		if of := textsOf(t, rec.Unwrap(), opts...); !slices.Equal(of, got) {
			t.Errorf("%s: %d events of the container's recording, want %d", name, len(of), len(got))
		}
	}
	for name, opt := range map[string]tracec.Option{
		"events": tracec.WithEvents("no_such_event"), "filter": tracec.WithFilter("sched_wakeup: ("),
		"processors": tracec.WithCPUs("x"), "window": tracec.WithWindow("yesterday", ""),
	} {
		if got, errs := events(rec, opt); len(got) > 0 || len(errs) != 1 {
			t.Errorf("%s: %d events, %v", name, len(got), errs)
		}
	}
}

// TestContainers: a window selects the same events whether a container or Open has opened the
// recording.
func TestContainers(t *testing.T) {
	templates := tracec.WithTemplates("testdata/aix/shop.trcfmt")
	compiled := tracec.WithHooks(compileTemplates(t, "testdata/aix/shop.trcfmt"))
	for path, opts := range map[string][]tracec.OpenOption{
		"testdata/aix/shop64.trc":                     {templates},
		"testdata/lttng/synthetic/v10-compact.tar.xz": nil,
		"testdata/uftrace/args-auto/data.tar.gz":      nil,
	} {
		rec := open(t, path, opts...)
		for _, window := range []tracec.Option{tracec.WithWindow("+1us", ""), tracec.WithWindow("", "-1us")} {
			want, errs := events(rec, window)
			if got := textsOf(t, rec.Unwrap(), window, compiled); len(want) == 0 || errs != nil ||
				!slices.Equal(got, want) {
				t.Errorf("%s: %d events, want %d, %v", path, len(got), len(want), errs)
			}
		}
	}
}

// TestDamaged: all intact events are yielded. Then the error describes the parts that could not be
// read.
func TestDamaged(t *testing.T) {
	data, err := os.ReadFile(extract)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := tracec.OpenReader(t.Context(), bytes.NewReader(data[:len(data)-5000]))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var damage *record.DamageError
	if got, errs := events(rec); len(got) == 0 || len(errs) != 1 || !errors.As(errs[0], &damage) ||
		damage.First == nil {
		t.Errorf("%d events, %v", len(got), errs)
	}
}

// TestFollowed: a growing recording yields the events that are written until its end is reported.
func TestFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trc")
	data, err := os.ReadFile("testdata/aix/shop64.trc")
	if err != nil {
		t.Fatal(err)
	}
	templates := tracec.WithTemplates("testdata/aix/shop.trcfmt")
	want, _ := events(open(t, "testdata/aix/shop64.trc", templates))
	if err := os.WriteFile(path, data[:len(data)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	until, end := context.WithCancel(t.Context())
	defer end()
	rec := open(t, path, templates, tracec.WithFollow(record.Follow{Until: until, Poll: time.Millisecond}))
	var got []string
	for ev, err := range rec.Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := ev.AppendText(nil); len(got) == 0 {
			got = append(got, string(text))
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write(data[len(data)/2:]); err != nil {
				t.Fatal(err)
			}
			f.Close()
			end()
			continue
		}
		got = append(got, "")
	}
	if len(got) != len(want) {
		t.Errorf("%d events, want %d", len(got), len(want))
	}
}

package ctf_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// followed is a trace that is written while it is read.
type followed struct {
	t      *testing.T
	dir    string
	events chan string
	told   []error
	rec    *ctf.Recording
	end    func()
}

// follow begins to read a trace in its directory, in which some files already exist.
func follow(t *testing.T, dir string) *followed {
	until, end := context.WithCancel(t.Context())
	f := &followed{t: t, dir: dir, events: make(chan string, 1000), end: end}
	rec, err := ctf.Open(dir, ctf.WithFollow(record.Follow{
		Until: until, Delay: time.Millisecond, Poll: time.Millisecond,
		Notify: func(err error) { f.told = append(f.told, err) },
	}))
	if err != nil {
		t.Fatal(err)
	}
	f.rec = rec
	m := rec.Merge(record.Options{})
	go func() {
		defer close(f.events)
		for r, e := range m.All() {
			f.events <- fmt.Sprint(e.Event.Name.Name, " ", r.Time)
		}
	}()
	return f
}

// write appends to a file.
func (f *followed) write(name string, data []byte) { appendTo(f.t, filepath.Join(f.dir, name), data) }

func appendTo(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.Write(data)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// want waits for the events of packets.
func (f *followed) want(packets ...int) {
	f.t.Helper()
	var want, got []string
	for _, p := range packets {
		for i := range eventCount {
			name := [...]string{"a:number", "a:text"}[i%2]
			if i == 5 {
				name = "b:none"
			}
			want = append(want, fmt.Sprint(name, " ", p*1000+i*100))
		}
	}
	for range want {
		select {
		case e := <-f.events:
			got = append(got, e)
		case <-time.After(30 * time.Second):
			f.t.Fatalf("no event after %q", got)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.t.Fatalf("(-want +got):\n%s", diff)
	}
}

// finish ends the recording. After it, no more events may come.
func (f *followed) finish() {
	f.t.Helper()
	f.end()
	for e := range f.events {
		f.t.Errorf("%s at the end", e)
	}
	if d := f.rec.Damage(); len(d) > 0 {
		f.t.Errorf("damage %v", d)
	}
}

// TestFollow cuts a packet, adds files and traces, and describes an event after it has occurred in
// a packet.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	text, last, _ := strings.Cut(smallMetadata, `event { name = "b:none"`)
	appendTo(t, filepath.Join(dir, "a/metadata"), []byte(text))
	appendTo(t, filepath.Join(dir, "a/s"), smallPacket(1, 0, 0)[:50])
	f := follow(t, dir)
	f.write("a/s", smallPacket(1, 0, 0)[50:])
	for i := range 5 { // b:none is the next event
		if e := <-f.events; !strings.HasPrefix(e, "a:") {
			t.Fatalf("event %d is %s", i, e)
		}
	}
	f.write("a/metadata", []byte(`event { name = "b:none"`+last))
	for range 5 {
		<-f.events
	}
	f.write("a/s", smallPacket(1, 1, 0))
	f.want(1)
	f.write("a/later", smallPacket(2, 2, 0))
	f.want(2)
	f.write("b/metadata", []byte(smallMetadata))
	f.write("b/s", smallPacket(3, 3, 0))
	f.want(3)
	f.write("a/s", smallPacket(1, 4, 0))
	f.want(4)
	f.finish()
	if got := len(f.rec.Events()); got != 6 {
		t.Errorf("%d events are described", got)
	}
}

// TestFollowRotation moves the files of a trace to another place, where they must not be read
// again.
func TestFollowRotation(t *testing.T) {
	dir := t.TempDir()
	appendTo(t, filepath.Join(dir, "ust/metadata"), []byte(smallMetadata))
	appendTo(t, filepath.Join(dir, "ust/s"), smallPacket(1, 0, 0))
	f := follow(t, dir)
	f.want(0)
	for i := 1; i < 4; i++ {
		to := filepath.Join(dir, "archives", fmt.Sprint(i))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755),
			os.Rename(filepath.Join(dir, "ust"), to)); err != nil {
			t.Fatal(err)
		}
		f.write("ust/metadata", []byte(smallMetadata))
		f.write("ust/s", smallPacket(1, uint64(i), 0))
		f.want(i)
	}
	f.finish()
	if len(f.told) != 3 || !errors.Is(f.told[0], record.ErrRestarted) || len(f.rec.Files()) != 1 {
		t.Errorf("told %v of %d files", f.told, len(f.rec.Files()))
	}
}

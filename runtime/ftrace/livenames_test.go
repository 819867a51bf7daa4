package ftrace_test

import (
	"fmt"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// silent is a kernel that records nothing.
type silent struct{ live record.Live }

func (*silent) CPUs() []int                         { return nil }
func (s *silent) Live() *record.Live                { return &s.live }
func (*silent) Next(int) ([]byte, time.Time, error) { return nil, time.Time{}, io.EOF }

// changing is a tree whose files change: the contents depend on the number of reads.
type changing struct {
	fs.FS
	saved func(read int) string
	reads int
}

func (c *changing) Open(name string) (fs.File, error) {
	if name != "saved_cmdlines" {
		return c.FS.Open(name)
	}
	text := c.saved(c.reads)
	return fstest.MapFS{name: {Data: []byte(text)}}.Open(name)
}

// Stat counts one read of saved_cmdlines for each Open, which a Stat precedes.
func (c *changing) Stat(name string) (fs.FileInfo, error) {
	if name == "saved_cmdlines" {
		c.reads++
		return fs.Stat(fstest.MapFS{name: {Data: []byte("x")}}, name)
	}
	return fs.Stat(c.FS, name)
}

// TestLiveNames checks names of running threads. The name of a thread that the kernel has not saved
// yet comes from the thread itself. If a thread has ended meanwhile, its name has been saved.
// Unknown threads do not cause one read of the names each.
func TestLiveNames(t *testing.T) {
	rec, err := ftrace.Open("../../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	dir := fstest.MapFS{"proc/7/comm": {Data: []byte("runs\n")}}
	dir["events/header_page"] = &fstest.MapFile{Data: []byte(rec.Info().HeaderPage)}
	dir["events/header_event"] = &fstest.MapFile{Data: []byte(rec.Info().HeaderEvent)}
	tree := &changing{FS: dir, saved: func(read int) string {
		if read < 2 {
			return "5 first\n"
		}
		return "5 first\n6 ended\n"
	}}
	live, err := ftrace.OpenLive(tree, "live", &silent{})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	for i, want := range []struct {
		pid  int32
		name string
	}{{0, "<idle>"}, {5, "first"}, {7, "runs"}, {6, "ended"}, {8, "<...>"}, {8, "<...>"}, {7, "runs"}} {
		if got := live.Comm(want.pid); got != want.name {
			t.Errorf("%d: thread %d is %q, want %q", i, want.pid, got, want.name)
		}
	}
	before := tree.reads
	for pid := range int32(1000) {
		if got := live.Comm(1000 + pid); got != "<...>" {
			t.Errorf("thread %d is %q", pid, got)
		}
	}
	if n := tree.reads - before; n > 500 {
		t.Errorf("1,000 unknown threads took %d reads", n)
	}
	if d := live.Damage(); len(d) > 0 {
		t.Error(fmt.Sprint(d))
	}
}

// TestLiveNamesClosed checks that a recording closed before the first lookup finds no name.
func TestLiveNamesClosed(t *testing.T) {
	rec, err := ftrace.Open("../../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	live, err := ftrace.OpenLive(fstest.MapFS{
		"proc/7/comm":         {Data: []byte("runs\n")},
		"events/header_page":  {Data: []byte(rec.Info().HeaderPage)},
		"events/header_event": {Data: []byte(rec.Info().HeaderEvent)},
	}, "live", &silent{})
	if err != nil {
		t.Fatal(err)
	}
	if err := live.Close(); err != nil {
		t.Fatal(err)
	}
	if got := live.Comm(7); got != "<...>" {
		t.Errorf("thread 7 is %q", got)
	}
}

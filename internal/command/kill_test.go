//go:build unix

package command

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// writers are commands that replace files in their working directory.
var writers = []struct {
	name  string
	args  []string
	files map[string]string // existing files
}{
	{"gen", []string{"gen", "-text", "-events", "sched_*", "-pkg", "p", "-o", "p_gen.go", "@"}, map[string]string{
		"p_gen.go":  madeByUs + "before. DO NOT EDIT.\n\npackage p\n",
		"p_text.go": madeByUs + "before. DO NOT EDIT.\n\npackage p\n",
	}},
	{"convert", []string{"trace-cmd", "convert", "-i", "@", "-o", "new.dat", "--file-version", "6"},
		map[string]string{"new.dat": "what was there"}},
	{"update", []string{"update", "-t", "my.trcfmt", "new"}, map[string]string{
		"my.trcfmt": "010 1.0 L=APPL \"loop\" $HD%X2\n", "new.trc": "* /etc/trcfmt\n+010 2.0 L=APPL \"new\" $HD%X2\n",
		"new.undo.trc": "* /etc/trcfmt\n",
	}},
}

// temporaryName matches names of files before they are complete, or after they are replaced.
var temporaryName = regexp.MustCompile(`^\.(.+)\.[0-9a-f]{1,10}$`)

// TestKill kills commands at any time. Each file has its complete old or new content. All other
// files have names of temporary files, and do not prevent the next run.
func TestKill(t *testing.T) {
	for _, w := range writers {
		t.Run(w.name, func(t *testing.T) {
			input := inputs(t)["trace.dat"]
			begin := time.Now()
			whole := command(t, w.args, input)
			fill(t, whole.Dir, w.files)
			if err := whole.Run(); err != nil {
				t.Fatalf("%v: %s", err, &whole.messages)
			}
			took := time.Since(begin)
			want := contents(t, whole.Dir)
			r := rand.New(rand.NewPCG(10, 10))
			for range needs.Cases(t, 4, 20) {
				p := command(t, w.args, input)
				fill(t, p.Dir, w.files)
				if err := p.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Duration(r.Int64N(int64(took))))
				p.Process.Kill() // the process may have ended
				p.Wait()
				oldOrNew(t, w.files, want, contents(t, p.Dir))
				again := command(t, w.args, input)
				again.Dir = p.Dir
				if w.name == "update" {
					fill(t, p.Dir, w.files) // it works on existing files
				}
				if err := again.Run(); err != nil {
					t.Fatalf("after a run that was killed: %v: %s", err, &again.messages)
				}
				got := contents(t, p.Dir)
				for name, b := range want {
					if !bytes.Equal(got[name], b) {
						t.Errorf("%s is not what it is without a run that was killed before", name)
					}
				}
			}
		})
	}
}

// oldOrNew compares the files after a run with the files before it and the files of a complete run.
func oldOrNew(t *testing.T, old map[string]string, want, got map[string][]byte) {
	t.Helper()
	for name := range old {
		if b, ok := got[name]; !ok || string(b) != old[name] && !bytes.Equal(b, want[name]) {
			t.Errorf("%s has %d bytes: neither what was there nor what was to be written", name, len(b))
		}
	}
	for name := range got {
		_, was := old[name]
		_, will := want[name]
		if m := temporaryName.FindStringSubmatch(name); !was && !will && m == nil {
			t.Errorf("%s is left", name)
		}
	}
}

func fill(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range list {
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestInterrupt interrupts commands with several goroutines at any time. They end soon, and leave
// neither temporary files nor a part of their output.
func TestInterrupt(t *testing.T) {
	for _, args := range [][]string{
		{"report", "--jobs", "4", "@"}, {"report", "-F", "sched_switch: prev_prio > 0", "--jobs", "4", "@"},
		{"trace-cmd", "report", "-l", "--jobs", "4", "@"},
		{"export", "--to", "ndjson", "--jobs", "4", "-o", "whole", "@"},
		{"export", "--to", "perfetto", "--jobs", "4", "-o", "whole", "@"},
		{"export", "--to", "chrome", "-o", "whole", "@"},
	} {
		t.Run(args[0]+" "+args[2], func(t *testing.T) {
			t.Parallel()
			input := inputs(t)["ftrace"] // an archive, which must be unpacked
			begin := time.Now()
			whole := command(t, args, input)
			if err := whole.Run(); err != nil {
				t.Fatalf("%v: %s", err, &whole.messages)
			}
			took, want := time.Since(begin), contents(t, whole.Dir)
			r := rand.New(rand.NewPCG(13, 13))
			for range needs.Cases(t, 4, 20) {
				p := command(t, args, input)
				if err := p.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Duration(r.Int64N(int64(took))))
				p.Process.Signal(os.Interrupt) // the process may have ended
				kill := time.AfterFunc(time.Minute, func() { p.Process.Kill() })
				p.Wait()
				if !kill.Stop() {
					t.Fatal("it goes on after a minute")
				}
				p.left(t)
				for name, b := range contents(t, p.Dir) {
					if !bytes.Equal(b, want[name]) {
						t.Errorf("%s is left with %d bytes", name, len(b))
					}
				}
			}
		})
	}
}

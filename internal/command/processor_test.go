package command

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/runtime/record"
)

// drip is a pipe that delivers data in random pieces.
type drip struct {
	data   []byte
	random *rand.Rand
}

func (d *drip) Read(p []byte) (int, error) {
	if len(d.data) == 0 {
		return 0, io.EOF
	}
	if d.random.IntN(4) == 0 {
		time.Sleep(time.Millisecond)
	}
	n := copy(p, d.data[:min(len(d.data), 1+d.random.IntN(6000))])
	d.data = d.data[n:]
	return n, nil
}

// TestProcessorData: the data of a processor alone gives the events of that processor, from a file,
// from a pipe, and while it grows.
func TestProcessorData(t *testing.T) {
	files := unpacked(t, "ftrace/amd64-snapshot.tar.zst")
	dir := t.TempDir()
	const raw = "per_cpu/cpu1/trace_pipe_raw"
	whole := files[raw]
	odd := bytes.Clone(whole)
	copy(odd[5000:], "damage in the middle of it")
	only, err := selection.ParseCPUs("1")
	if err != nil {
		t.Fatal(err)
	}
	for kind, data := range map[string][]byte{"whole": whole, "cut short": whole[:len(whole)-1000], "damaged": odd,
		"less than a page": whole[:100], "empty": {}} {
		t.Run(kind, func(t *testing.T) {
			formats := filepath.Join(dir, kind)
			for name, data := range files {
				if !strings.HasPrefix(name, "per_cpu/") {
					appendTo(t, filepath.Join(formats, name), data)
				}
			}
			appendTo(t, filepath.Join(formats, "own", raw), data)
			alone := filepath.Join(formats, "own", raw)
			snapshot := filepath.Join(dir, kind+" copy")
			for name, other := range files {
				if name == raw {
					other = data
				}
				appendTo(t, filepath.Join(snapshot, name), other)
			}
			want := textOf(t, &report.Job{Job: sources.Job{Path: snapshot}},
				report.Options{Options: selection.Options{CPUs: only}})
			o := sources.Options{Formats: formats}
			if got := textOf(t, &report.Job{Job: sources.Job{Path: alone, Opening: o}}, report.Options{}); got != want {
				t.Errorf("of a file (-snapshot +file):\n%.2000s", cmp.Diff(want, got))
			}
			one := 1
			o.FormatsCPU = &one
			for n := range 20 {
				in := &drip{data, rand.New(rand.NewPCG(uint64(n), 1))}
				if got := textOf(t, &report.Job{Job: sources.Job{Path: "-", Stdin: in, Opening: o}},
					report.Options{}); got != want {
					t.Fatalf("through a pipe, %d (-snapshot +pipe):\n%.2000s", n, cmp.Diff(want, got))
				}
			}
			if len(data) == 0 { // the reader waits for the beginning
				return
			}
			growing := filepath.Join(formats, "growing")
			appendTo(t, growing, data[:len(data)/3])
			until, end := context.WithCancel(t.Context())
			go func() {
				defer end()
				time.Sleep(20 * time.Millisecond)
				f, err := os.OpenFile(growing, os.O_APPEND|os.O_WRONLY, 0)
				if err == nil {
					_, err = f.Write(data[len(data)/3:])
					f.Close()
				}
				if err != nil {
					t.Error(err)
				}
			}()
			job := &report.Job{Job: sources.Job{
				Path:    growing,
				Opening: o,
				Follow:  &record.Follow{Until: until, Delay: time.Hour, Poll: time.Millisecond},
			}}
			if got := textOf(t, job, report.Options{}); got != want {
				t.Errorf("while it grows (-snapshot +followed):\n%.2000s", cmp.Diff(want, got))
			}
		})
	}
	t.Run("no formats", func(t *testing.T) {
		job := &report.Job{Job: sources.Job{Path: "-", Stdin: &drip{}, Opening: sources.Options{Formats: dir}}}
		_, err := job.Find(t.Context())
		if err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("error %v", err)
		}
	})
}

// textOf returns the report of a job without the heading, and its messages without names.
func textOf(t *testing.T, job *report.Job, o report.Options) string {
	t.Helper()
	var text bytes.Buffer
	var messages []string
	say := func(err error) {
		if _, m, ok := strings.Cut(err.Error(), "trace_pipe_raw: "); ok {
			messages = append(messages, m)
		}
	}
	job.Out, job.Workers, job.Warn = &text, 1, say
	sys, err := job.Find(t.Context())
	if err == nil {
		err = all.Of(sys).Report(t.Context(), job, &o)
	}
	if err = job.Finish(err); err != nil {
		messages = append(messages, err.Error())
	}
	_, lines, _ := strings.Cut(text.String(), "\n")
	return lines + strings.Join(messages, "\n")
}

package sources

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/symbols/demangle"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Uftrace is the source of directories from uftrace record.
func Uftrace() *Source {
	return &Source{
		Name: "uftrace", Title: "uftrace", Detect: detectUftrace, NoCPUs: true, Follows: true,
		Holds: isA[*uftrace.Recording], Span: spanUftrace, Times: nanoseconds, Choose: chooseUftrace,
		Describe: describeUftrace,
		Open: func(ctx context.Context, job *Job) (record.Recording, error) {
			return opened(OpenUftrace(ctx, job, job.Path, job.Memory))
		},
	}
}

// detectUftrace recognizes directories.
func detectUftrace(p *input.Probe) bool { return p.Dir != nil && isUftrace(p.Dir) }

// OpenUftrace opens an input of a job. memory is the maximum number of bytes that it may use. The
// job closes its unpacked copy.
func OpenUftrace(
	ctx context.Context, job *Job, name string, memory int64, opts ...uftrace.Option,
) (*uftrace.Recording, error) {
	in, err := job.Open(ctx, name, Uftrace())
	switch {
	case err != nil:
		return nil, err
	case in.Dir == nil:
		return nil, in.Unknown()
	}
	form, ok := demangle.ParseForm(cmp.Or(job.Opening.Demangle, "simple"))
	if !ok {
		return nil, selection.Usagef("--demangle %s: want simple, full or no", job.Opening.Demangle)
	}
	opts = append(slices.Clone(opts), uftrace.WithMemory(memory), uftrace.WithDemangle(form))
	if job.Follow != nil {
		opts = append(opts, uftrace.WithFollow(*job.Follow))
	}
	if job.NoIndex {
		opts = append(opts, uftrace.WithIndex(""))
	}
	rec, err := uftrace.OpenFS(in.Dir, in.Name, append(opts, uftrace.WithPath(in.Place))...)
	if err != nil {
		return nil, err
	}
	if rec.IndexErr() != nil {
		job.NoteIndex(rec)
	}
	job.Reads(rec)
	return rec, nil
}

// spanUftrace returns the times of the first and the last record. It skips gaps.
func spanUftrace(ctx context.Context, rec record.Recording) (*selection.Span, error) {
	r := rec.(*uftrace.Recording)
	first, last, ok, err := Ends(ctx, func(o record.Options) *record.Merger[uftrace.Entry] {
		return r.Merge(uftrace.MergeOptions{Options: o})
	}, func(_ *record.Record, e *uftrace.Entry) bool { return e.Kind != uftrace.Lost }, false)
	return &selection.Span{First: first, Last: last, Empty: !ok}, err
}

// chooseUftrace opens a recording for callers that read its events themselves.
func chooseUftrace(ctx context.Context, job *Job, _ *selection.Options) (*Choice, error) {
	rec, err := OpenUftrace(ctx, job, job.Path, job.Memory)
	if err != nil {
		return nil, err
	}
	return &Choice{Recording: rec, Catalog: FunctionsAndEvents(rec)}, nil
}

// FunctionsAndEvents returns the catalog of functions, of all threads and of events.
func FunctionsAndEvents(rec *uftrace.Recording) *selection.Catalog {
	c := Functions(rec)
	c.Noun, c.NoSystems = "function or event", false
	c.Events = append(c.Events, EventNames(rec)...)
	return c
}

// Functions returns the catalog of functions, by their name or MODULE:FUNCTION, and of all threads.
func Functions(rec *uftrace.Recording) *selection.Catalog {
	c := &selection.Catalog{Recording: rec.Name(), Noun: "function", NoOthers: true, NoSystems: true}
	for _, s := range rec.Symbols() {
		c.Events = append(c.Events, FunctionName(s))
	}
	for _, t := range rec.Tasks() {
		c.Tasks = append(c.Tasks, selection.Task{ID: t.TID, Name: t.Comm})
	}
	return c
}

// EventNames returns the names of the events of the kernel, of perf and of the recorder.
func EventNames(rec *uftrace.Recording) (list []selection.Name) {
	for _, name := range rec.Events() {
		list = append(list, EventName(name))
	}
	return list
}

// EventName splits the name of an event.
func EventName(name string) selection.Name {
	system, event, _ := strings.Cut(name, ":")
	return selection.Name{System: system, Name: event}
}

// FunctionName returns the name of a function in catalogs.
func FunctionName(s *uftrace.Symbol) selection.Name {
	return selection.Name{System: ModuleName(s), Name: s.Shown()}
}

// ModuleName returns the name of the program or library of a function, or "".
func ModuleName(s *uftrace.Symbol) string {
	if s.Module == nil {
		return ""
	}
	return s.Module.Name
}

// magic begins the file info (uftrace.md 1.2).
const magic = "Ftrace!\x00"

// isUftrace reports whether a directory holds a recording: a file info with the magic number. If
// the recorder was killed, the other files decide.
func isUftrace(dir fs.FS) bool {
	if f, err := openInfo(dir); err == nil {
		head := make([]byte, len(magic))
		n, _ := io.ReadFull(f, head)
		f.Close()
		if string(head[:n]) == magic {
			return true
		}
	}
	list, err := fs.ReadDir(dir, ".")
	if err != nil {
		return false
	}
	data, other := false, false
	for _, e := range list {
		data = data || isData(e.Name())
		other = other || e.Name() == "task.txt" || isMap(e.Name())
	}
	return data && other
}

// openInfo opens the file info, unless it is a pipe, which might never open.
func openInfo(dir fs.FS) (fs.File, error) {
	if st, err := fs.Stat(dir, "info"); err != nil || !st.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	return dir.Open("info")
}

// isData reports whether a file of that name holds records, such as 1234.dat.
func isData(name string) bool {
	tid, ok := strings.CutSuffix(name, ".dat")
	return ok && tid != "" && strings.Trim(tid, "0123456789") == ""
}

func isMap(name string) bool {
	return strings.HasPrefix(name, "sid-") && strings.HasSuffix(name, ".map")
}

package tracecmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/folder"
	opened "github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/btf"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
)

// Descriptions holds format files from recordings, directories and single files.
type Descriptions struct {
	sources.Formats
	// Told is set once an input has provided word size and byte order. All inputs that provide them
	// must agree.
	Told bool
}

// Limits of reading: the largest kernel has 6,000 formats of 6 MB.
const (
	maxFormatSize = 1 << 20
	maxFormats    = 1 << 16
	maxWalked     = 1 << 18 // files and folders searched for formats
)

// NewDescriptions returns the descriptions of a 64-bit machine. An input may change that.
func NewDescriptions() *Descriptions {
	return &Descriptions{Formats: sources.Formats{Target: ir.Target{WordSize: 8}}}
}

// Finish calls do with an input. Unreadable parts of archives become damage of the descriptions.
func (d *Descriptions) Finish(job *report.Job, do func(*report.Job) error) error {
	job.Warn = func(err error) { d.Damage = append(d.Damage, err) }
	if err := job.Finish(do(job)); !errors.Is(err, report.ErrDamaged) {
		return err
	}
	return nil
}

// Add reads the input of a job.
func (d *Descriptions) Add(ctx context.Context, job *report.Job) error {
	in, sys, err := job.Input(ctx)
	switch {
	case err != nil:
		return err
	case sys != nil && sys.Name == "aix":
		return report.Usagef("%s: recordings of AIX do not describe events; give the template file (a copy of /etc/trcfmt)", in.Name)
	case sys != nil && sys.Name != "ftrace":
		return report.Usagef("%s: a recording of %s: read it separately", in.Name, sys.Title)
	// a recording without events has only formats
	case in != nil && in.Dir != nil && (sys == nil || folder.Kernel(in.Dir) != "" || !HasPages(in.Dir)):
		return d.addTree(in, sys != nil)
	case sys == nil:
		return d.addText(in)
	}
	rec, err := sources.OpenFTrace(ctx, &job.Job, job.Path, job.Memory)
	if err != nil {
		return err
	}
	return d.addRecording(rec)
}

// HasPages reports whether a copy of tracefs has the data of a processor.
func HasPages(dir fs.FS) bool {
	matches, _ := fs.Glob(dir, "per_cpu/cpu*/trace_pipe_raw") // the pattern is good
	return len(matches) > 0
}

func (d *Descriptions) addRecording(rec *ftrace.Recording) error {
	defer rec.Close()
	t := d.Take(rec)
	report.EachDamage(rec, func(err error) { d.Damage = append(d.Damage, err) })
	return d.tell(t, rec.Info().Name)
}

func (d *Descriptions) tell(t ir.Target, name string) error {
	switch {
	case d.Told && !d.Target.SameMachine(t):
		return report.Usagef("%s: has another word size or byte order than the inputs before it",
			name)
	case d.Told && d.Target.Kernel != t.Kernel: // the meaning of names depends on the kernel
		t.Kernel, t.Names = 0, nil
	}
	d.Target, d.Told = t, true
	return nil
}

// tellKernel determines the kernel of a directory: from a file of a copy, or from the running
// kernel.
func (d *Descriptions) tellKernel(dir fs.FS, root string) {
	if of := tracefs.Running(root); of != nil {
		dir = of
	}
	release, types := lying(dir, "uname"), lying(dir, btf.Vmlinux(dir))
	if d.Target.Kernel = uint32(compiler.ParseVersion(string(release))); len(types) == 0 {
		return
	}
	t, err := btf.Parse(types)
	if err != nil {
		d.Damage = append(d.Damage, fmt.Errorf("%s: type information of the kernel: %w", root, err))
		return
	}
	t.WithModules(dir, func(file string, err error) {
		d.Damage = append(d.Damage, fmt.Errorf("%s: %s: type information of a module: %w", root, file, err))
	})
	d.Target.Names = t
}

// maxBTF is larger than the type information of any kernel, which is some MB.
const maxBTF = 64 << 20

// lying reads a file that may be in a directory.
func lying(dir fs.FS, name string) []byte {
	f, err := dir.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(f, maxBTF))
	return text
}

// addTree reads all format files of a directory: an events/ tree or a part of it, or the events/
// tree of a copy of tracefs. Unusable files are damage.
func (d *Descriptions) addTree(in *opened.Input, tracefs bool) error {
	dir, root := in.Dir, in.Name
	if kernel := folder.Kernel(dir); kernel != "" && kernel != "tracefs" && kernel != "debugfs" {
		return in.Unknown()
	}
	if !d.Told {
		d.tellKernel(dir, root)
	}
	if tracefs {
		var err error
		if dir, err = fs.Sub(dir, "events"); err != nil {
			return err
		}
		root = filepath.Join(root, "events")
	}
	found, walked := 0, 0
	err := fs.WalkDir(dir, ".", func(name string, e fs.DirEntry, err error) error {
		if walked++; walked > maxWalked {
			return report.Usagef("%s: more than %d files and folders; name the folder of the formats", root, maxWalked)
		}
		switch {
		case errors.Is(err, folder.ErrSpecial): // another file system of the kernel is mounted there
			return fs.SkipDir
		case err != nil:
			return fmt.Errorf("%s: %w", filepath.Join(root, name), err)
		case e.IsDir():
			return nil
		case e.Name() == "header_page":
			return d.headerPage(dir, root, name)
		case e.Name() != "format" && !strings.HasSuffix(e.Name(), ".format"):
			return nil
		}
		if found++; found > maxFormats {
			return report.Usagef("%s: more than %d format files", root, maxFormats)
		}
		if err := d.addFile(dir, root, name); err != nil {
			d.Damage = append(d.Damage, err)
		}
		return nil
	})
	switch {
	case err == nil && found == 0 && in.Named() && !tracefs:
		return in.Unknown()
	case err == nil && found == 0:
		return fmt.Errorf("%s: no format files in this directory", root)
	}
	return err
}

// headerPage takes the word size: commit is a long of the kernel. The byte order is not recorded
// there.
func (d *Descriptions) headerPage(dir fs.FS, root, name string) error {
	text, err := readFile(dir, root, name)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, " commit;") && strings.Contains(line, "size:4;") {
			d.Target.WordSize = 4
		}
	}
	return nil
}

// addFile adds a format file of a directory root.
func (d *Descriptions) addFile(dir fs.FS, root, name string) error {
	text, err := readFile(dir, root, name)
	if err != nil {
		return err
	}
	full := filepath.Join(root, filepath.FromSlash(name))
	if !isFormat(text) {
		return fmt.Errorf("%s: not a format file", full)
	}
	label, err := filepath.Rel(filepath.Dir(root), full)
	if err != nil {
		label = full
	}
	return d.addFormat(full, label, text)
}

// addText adds a format file that is an input.
func (d *Descriptions) addText(in *opened.Input) error {
	src := in.Stream
	if in.File != nil {
		src = io.NewSectionReader(in.File, 0, in.File.Size)
	}
	text, err := readLimited(src, in.Name, 0)
	switch {
	case !isFormat(text) && in.Named():
		return in.Unknown()
	case !isFormat(text):
		return fmt.Errorf("%s: not a recording, format file or template file: %s", in.Name,
			cmp.Or(in.What(), "unknown data"))
	case err != nil:
		return err
	}
	return d.addFormat(in.Name, in.Name, text)
}

func isFormat(text []byte) bool { return strings.Contains(string(text), "\nformat:") }

// addFormat adds the text of a format file. The system is the directory above the event's. label is
// its name in messages and in generated files.
func (d *Descriptions) addFormat(name, label string, text []byte) error {
	full, err := filepath.Abs(name)
	if err != nil {
		full = name
	}
	dir := filepath.Dir(full)
	if filepath.Base(full) == "format" {
		dir = filepath.Dir(dir)
	}
	d.Files = append(d.Files, compiler.Source{
		System: filepath.Base(dir), Name: filepath.ToSlash(label), Text: text,
	})
	return nil
}

// readFile reads a file of the directory root. It returns an error for special files: a pipe would
// never end.
func readFile(dir fs.FS, root, name string) ([]byte, error) {
	full := filepath.Join(root, filepath.FromSlash(name))
	st, err := fs.Stat(dir, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", full, err)
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", full)
	}
	f, err := dir.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", full, err)
	}
	defer f.Close()
	return readLimited(f, full, st.Size())
}

// readLimited reads a file. size is the size that the file system reports, which is wrong for files
// of tracefs.
func readLimited(f io.Reader, name string, size int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(size, maxFormatSize)) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(f, maxFormatSize+1))
	text := b.Bytes()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxFormatSize {
		return text, fmt.Errorf("%s: offset %d: a format file of more than %d bytes", name, maxFormatSize,
			maxFormatSize)
	}
	return text, nil
}

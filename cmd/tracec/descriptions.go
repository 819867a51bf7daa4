package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/input"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/runtime/ftrace"
)

// descriptions are the format files that gen and list work on: from recordings, directories and single files.
type descriptions struct {
	formats []compiler.Source
	target  ir.Target
	// told is set once an input has given word size and byte order; all that do must agree.
	told   bool
	damage []error // of recordings and of files that are no formats
	// instead is what a message advises when an input is a recording that has no formats; empty is to take it by itself.
	instead string
}

// catalog returns what the inputs describe.
func (d *descriptions) catalog(inputs string) *report.Catalog {
	c := &report.Catalog{Recording: inputs, Noun: "event"}
	for _, f := range d.formats {
		c.Events = append(c.Events, report.Name{System: f.System, Name: eventName(f.Text)})
	}
	return c
}

// Limits on what is read: the largest kernel has 6,000 formats of 6 MB.
const (
	maxFormatSize = 1 << 20
	maxFormats    = 1 << 16
)

// newDescriptions returns the descriptions of a 64-bit machine, unless an input says otherwise.
func newDescriptions() *descriptions { return &descriptions{target: ir.Target{WordSize: 8}} }

// addPath reads one argument of the command line.
func (d *descriptions) addPath(cmd *cobra.Command, path string) error {
	return d.finish(newJob(cmd, path), func(job *report.Job) error {
		defer watchSilent(cmd, job)()
		return d.add(cmd.Context(), job)
	})
}

// finish does something with an input. What archives could not give is damage of the descriptions.
func (d *descriptions) finish(job *report.Job, do func(*report.Job) error) error {
	job.Warn = func(err error) { d.damage = append(d.damage, err) }
	if err := job.Finish(do(job)); !errors.Is(err, report.ErrDamaged) {
		return err
	}
	return nil
}

// add reads what a job is about.
func (d *descriptions) add(ctx context.Context, job *report.Job) error {
	in, sys, err := job.Input(ctx)
	switch {
	case err != nil:
		return err
	case sys != nil && sys.Name == "aix":
		return usagef("%s: a recording of AIX, which does not describe its events: name the templates, the file that trcrpt -t takes, such as a copy of /etc/trcfmt", in.Name)
	case sys != nil && sys.Name != "ftrace":
		return usagef("%s: a recording of %s: %s", in.Name, sys.Title, cmp.Or(d.instead, "take it by itself"))
	case in.Dir != nil && (sys == nil || !hasPages(in.Dir)): // one that was never recorded into has formats only
		return d.addTree(in, sys != nil)
	case sys == nil:
		return d.addText(in)
	}
	rec, err := tracecmd.Open(ctx, job, job.Path, job.Memory)
	if err != nil {
		return err
	}
	return d.addRecording(rec)
}

// hasPages reports whether a copy of tracefs has the data of a processor.
func hasPages(dir fs.FS) bool {
	matches, _ := fs.Glob(dir, "per_cpu/cpu*/trace_pipe_raw") // the pattern is good
	return len(matches) > 0
}

func (d *descriptions) addRecording(rec *ftrace.Recording) error {
	defer rec.Close()
	info := rec.Info()
	for _, f := range rec.Formats() {
		d.formats = append(d.formats, compiler.Source{
			System: f.System, Name: path.Join(filepath.ToSlash(info.Name), f.System, f.Name), Text: []byte(f.Text),
		})
	}
	report.EachDamage(rec, func(err error) { d.damage = append(d.damage, err) })
	big := info.ByteOrder == binary.ByteOrder(binary.BigEndian)
	return d.tell(ir.Target{BigEndian: big, WordSize: info.WordSize}, info.Name)
}

func (d *descriptions) tell(t ir.Target, name string) error {
	if d.told && d.target != t {
		return usagef("%s: comes from a machine of other word size or byte order than the inputs before it", name)
	}
	d.target, d.told = t, true
	return nil
}

// addTree takes all format files of a directory: an events/ tree or a part of it, or that of a copy of tracefs. One that cannot be used
// is damage.
func (d *descriptions) addTree(in *input.Input, tracefs bool) error {
	dir, root := in.Dir, in.Name
	if tracefs {
		var err error
		if dir, err = fs.Sub(dir, "events"); err != nil {
			return err
		}
		root = filepath.Join(root, "events")
	}
	found := 0
	err := fs.WalkDir(dir, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
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
			return usagef("%s: more than %d format files", root, maxFormats)
		}
		if err := d.addFile(dir, root, name); err != nil {
			d.damage = append(d.damage, err)
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

// headerPage takes the word size: commit is a long of the kernel. The byte order is not in it.
func (d *descriptions) headerPage(dir fs.FS, root, name string) error {
	text, err := readFile(dir, root, name)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, " commit;") && strings.Contains(line, "size:4;") {
			d.target.WordSize = 4
		}
	}
	return nil
}

// addFile takes one format file of a directory root.
func (d *descriptions) addFile(dir fs.FS, root, name string) error {
	text, err := readFile(dir, root, name)
	if err != nil {
		return err
	}
	full := filepath.Join(root, filepath.FromSlash(name))
	if !isFormat(text) {
		return fmt.Errorf("%s: neither a recording nor a format file", full)
	}
	label, err := filepath.Rel(filepath.Dir(root), full)
	if err != nil {
		label = full
	}
	return d.addFormat(full, label, text)
}

// addText takes a format file that is an input.
func (d *descriptions) addText(in *input.Input) error {
	src := in.Stream
	if in.File != nil {
		src = io.NewSectionReader(in.File, 0, in.File.Size)
	}
	text, err := readLimited(src, in.Name)
	switch {
	case !isFormat(text) && in.Named():
		return in.Unknown()
	case !isFormat(text):
		return fmt.Errorf("%s: neither a recording nor a format file", in.Name)
	case err != nil:
		return err
	}
	return d.addFormat(in.Name, in.Name, text)
}

func isFormat(text []byte) bool { return strings.Contains(string(text), "\nformat:") }

// addFormat takes the text of a format file. Its system is the directory above the event's; label is its name in
// messages and in generated files.
func (d *descriptions) addFormat(name, label string, text []byte) error {
	full, err := filepath.Abs(name)
	if err != nil {
		full = name
	}
	dir := filepath.Dir(full)
	if filepath.Base(full) == "format" {
		dir = filepath.Dir(dir)
	}
	d.formats = append(d.formats, compiler.Source{
		System: filepath.Base(dir), Name: filepath.ToSlash(label), Text: text,
	})
	return nil
}

// readFile reads a file of the directory root. A pipe there would never end.
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
	return readLimited(f, full)
}

func readLimited(f io.Reader, name string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, maxFormatSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxFormatSize {
		return text, fmt.Errorf("%s: offset %d: a format file of more than %d bytes", name, maxFormatSize, maxFormatSize)
	}
	return text, nil
}

// eventName returns the name that a format file gives its event.
func eventName(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "name:"); ok {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/tracec/tracec/cmd/internal/report"
	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
)

// descriptions are the format files that gen and list work on: from recordings, directories and single files.
type descriptions struct {
	formats []compiler.Source
	target  ir.Target
	// told is set once an input has told word size and byte order; all that do must agree.
	told   bool
	memory int64   // for each recording, in bytes
	damage []error // of recordings and of files that are no formats
}

// catalog is what the inputs describe.
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

// add reads one argument of the command line.
func (d *descriptions) add(arg string, stdin io.Reader) error {
	if arg == "-" {
		rec, err := ftrace.OpenReader(stdin, "stdin", ftrace.WithMemory(d.memory))
		if err != nil {
			return err
		}
		return d.addRecording(rec)
	}
	st, err := os.Stat(arg)
	if err != nil {
		return err
	}
	if st.IsDir() {
		if exists(filepath.Join(arg, "events", "header_page")) {
			return d.addSnapshot(arg)
		}
		return d.addTree(arg)
	}
	f, err := os.Open(arg)
	if err != nil {
		return err
	}
	defer f.Close()
	const enough = 8 << 10 // to know a recording of AIX
	in := bufio.NewReaderSize(f, enough)
	head, err := in.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", arg, err)
	}
	if string(head) != "\x17\x08\x44" {
		if more, _ := in.Peek(enough); st.Mode().IsRegular() && aix.Detect(more) != aix.KindUnknown {
			return usagef("%s: a recording of AIX trace, which holds no descriptions: name the file of templates that trcrpt -t takes, such as a copy of /etc/trcfmt", arg)
		}
		text, err := readLimited(in, arg)
		if err != nil {
			return err
		}
		return d.addText(arg, arg, text)
	}
	var rec *ftrace.Recording
	if st.Mode().IsRegular() {
		rec, err = ftrace.Open(arg, ftrace.WithMemory(d.memory))
	} else { // a pipe can be read once
		rec, err = ftrace.OpenReader(in, arg, ftrace.WithMemory(d.memory))
	}
	if err != nil {
		return err
	}
	return d.addRecording(rec)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// addSnapshot takes a whole tracefs directory. One that was never recorded into has formats only.
func (d *descriptions) addSnapshot(dir string) error {
	if matches, _ := filepath.Glob(filepath.Join(dir, "per_cpu", "cpu*", "trace_pipe_raw")); len(matches) == 0 {
		return d.addTree(filepath.Join(dir, "events"))
	}
	rec, err := ftrace.Open(dir, ftrace.WithMemory(d.memory))
	if err != nil {
		return err
	}
	return d.addRecording(rec)
}

func (d *descriptions) addRecording(rec *ftrace.Recording) error {
	defer rec.Close()
	info := rec.Info()
	for _, f := range rec.Formats() {
		d.formats = append(d.formats, compiler.Source{
			System: f.System, Name: path.Join(filepath.ToSlash(info.Name), f.System, f.Name), Text: []byte(f.Text),
		})
	}
	for _, x := range rec.Damage() {
		d.damage = append(d.damage, x)
	}
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

// addTree takes all format files of an events/ tree or of a part of it. One that cannot be used is damage.
func (d *descriptions) addTree(dir string) error {
	found := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return nil
		case e.Name() == "header_page":
			return d.headerPage(name)
		case e.Name() != "format" && !strings.HasSuffix(e.Name(), ".format"):
			return nil
		}
		if found++; found > maxFormats {
			return usagef("%s: more than %d format files", dir, maxFormats)
		}
		rel, err := filepath.Rel(filepath.Dir(dir), name)
		if err != nil {
			rel = name
		}
		if err := d.addFile(name, rel); err != nil {
			d.damage = append(d.damage, err)
		}
		return nil
	})
	if err == nil && found == 0 {
		err = fmt.Errorf("%s: no format files in this directory", dir)
	}
	return err
}

// headerPage tells the word size: commit is a long of the kernel. The byte order is not in it.
func (d *descriptions) headerPage(name string) error {
	text, err := readFile(name)
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

// addFile takes one format file. Its system is the directory above the event's; label is its name in
// messages and in generated files.
func (d *descriptions) addFile(name, label string) error {
	text, err := readFile(name)
	if err != nil {
		return err
	}
	return d.addText(name, label, text)
}

func (d *descriptions) addText(name, label string, text []byte) error {
	if !strings.Contains(string(text), "\nformat:") {
		return fmt.Errorf("%s: neither a recording nor a format file", name)
	}
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

// readFile reads a file of a directory. A pipe there would never end.
func readFile(name string) ([]byte, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLimited(f, name)
}

func readLimited(f io.Reader, name string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, maxFormatSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxFormatSize {
		return nil, fmt.Errorf("%s: offset %d: a format file of more than %d bytes", name, maxFormatSize, maxFormatSize)
	}
	return text, nil
}

// eventName is the name that a format file gives its event.
func eventName(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "name:"); ok {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

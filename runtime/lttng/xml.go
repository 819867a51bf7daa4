package lttng

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unsafe"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/runtime/internal/memory"
)

// Limits of an XML description. LTTng's own descriptions had less than 30 KB.
const (
	maxXML      = 1 << 20
	maxXMLDepth = 64
)

// The memory of an element and an attribute, apart from the text, which is already counted.
const (
	elementBytes = 2 * int64(unsafe.Sizeof(element{})) // including its entry in the list of its parent, and its name
	attrBytes    = 128
)

// element is one element of an XML description.
type element struct {
	name     string
	attrs    map[string]string
	children []*element
	line     int
}

// descriptions finds the XML descriptions of facilities (lttng.md 5.2). They are in the directory
// of WithEventDefs, or else in the eventdefs of the trace.
type descriptions struct {
	trace *Trace
	found map[string]bool // facilities that have a file
}

// of returns the events of a facility, from its file or as built in. It may return both events and
// an error. The events with errors have no fields.
func (d *descriptions) of(f facility) ([]definition, error) {
	lease := d.trace.rec.memory.Lease() // a tree takes a hundred times the memory of its text
	defer lease.End()
	name, text, err := d.read(f.name, lease)
	if err != nil || name == "" {
		return builtIn[f.name], err
	}
	if d.found == nil {
		d.found = map[string]bool{}
	}
	d.found[f.name] = true
	root, err := parseXML(name, text, lease)
	if err != nil {
		return builtIn[f.name], err
	}
	list, err := describeFacility(name, root, describer{sizes: f.sizes, pad: d.trace.stringPad(f.sizes),
		swap: d.trace.swapsFloats()})
	if err != nil && list == nil {
		list = builtIn[f.name]
	}
	return list, err
}

// The values of float_word_order that name a byte order: the constants of the C library.
const (
	floatsLittle = 1234
	floatsBig    = 4321
)

// swapsFloats reports whether the byte order of floats differs from the trace's. Kernels wrote 0
// instead of an order, since they recorded no floats. 0 means the order of the trace.
func (tr *Trace) swapsFloats() bool {
	for _, f := range tr.files {
		if f.isMetadata() {
			return f.head.machine.floats == floatsLittle && tr.info.BigEndian ||
				f.head.machine.floats == floatsBig && !tr.info.BigEndian
		}
	}
	return false
}

// described reports whether of has found a file.
func (d *descriptions) described(facility string) bool { return d.found[facility] }

// read reads the file of a facility. An empty name means that there is no file.
func (d *descriptions) read(facility string, lease *memory.Lease) (name string, text []byte, err error) {
	if !isName(facility) || strings.ContainsAny(facility, `/\*?[`) {
		return "", nil, nil
	}
	dir, prefix := d.trace.rec.dir, path.Join(d.trace.path, "eventdefs")
	if d.trace.rec.config.eventdefs != "" {
		dir, prefix = folder.Open(d.trace.rec.config.eventdefs), "."
	}
	names := []string{facility + ".xml", facility + "_" + d.arch() + ".xml"}
	if others, err := fs.Glob(dir, path.Join(prefix, facility+"_*.xml")); err == nil && len(others) == 1 {
		names = append(names, path.Base(others[0])) // the only file with the name of a processor
	}
	for _, n := range names {
		text, err = readSmall(dir, path.Join(prefix, n), lease)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if d.trace.rec.config.eventdefs != "" {
			n = path.Join(d.trace.rec.config.eventdefs, n)
		} else {
			n = path.Join(prefix, n)
		}
		return n, text, err
	}
	return "", nil, nil
}

// readSmall reads a file with memory for it and for the copy that its parser makes.
func readSmall(dir fs.FS, name string, lease *memory.Lease) ([]byte, error) {
	st, err := fs.Stat(dir, name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() { // opening a pipe could block for ever
		return nil, &fs.PathError{Op: "read", Path: name, Err: errNotRegular(st.Mode())}
	}
	if err := lease.Swap(0, 2*min(st.Size(), maxXML)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxXML+1))
	if err == nil && len(text) > maxXML {
		err = fmt.Errorf("%s: more than %d bytes: %w", name, maxXML, ErrMarker)
	}
	return text, err
}

// arch returns the name of the trace's processor in file names.
func (d *descriptions) arch() string {
	names := [...]string{"", "i386", "ppc", "sh", "s390", "mips", "arm", "ppc64", "x86_64", "c2", "powerpc", "x86"}
	for _, f := range d.trace.files {
		if a := f.head.machine.arch; f.isMetadata() && a < uint32(len(names)) {
			return names[a]
		}
	}
	return ""
}

// xmlError returns the error for a mistake in a description.
func xmlError(file string, line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s: %w", file, line, fmt.Sprintf(format, args...), ErrMarker)
}

// parseXML reads a description as a tree. Descriptions were written by hand, some with attributes
// without quotes. The memory of the tree is taken from a lease.
func parseXML(file string, text []byte, lease *memory.Lease) (*element, error) {
	d := xml.NewDecoder(strings.NewReader(string(text)))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // names are ASCII
	root := &element{line: 1}
	open := []*element{root}
	for {
		tok, err := d.Token()
		line, _ := d.InputPos()
		switch {
		case errors.Is(err, io.EOF):
			return root, nil
		case err != nil:
			return nil, xmlError(file, line, "%v", err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if len(open) > maxXMLDepth {
				return nil, xmlError(file, line, "more than %d elements within each other", maxXMLDepth)
			}
			if err := lease.Swap(0, elementBytes+int64(len(t.Attr))*attrBytes); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, line, err)
			}
			e := &element{name: strings.ToLower(t.Name.Local), line: line}
			if len(t.Attr) > 0 {
				e.attrs = make(map[string]string, len(t.Attr))
			}
			for _, a := range t.Attr {
				e.attrs[strings.ToLower(a.Name.Local)] = a.Value
			}
			parent := open[len(open)-1]
			parent.children = append(parent.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
}

// child returns the first child that has one of some names.
func (e *element) child(names ...string) *element {
	for _, c := range e.children {
		for _, n := range names {
			if c.name == n {
				return c
			}
		}
	}
	return nil
}

// types returns the children that are types: all except descriptions.
func (e *element) types() (list []*element) {
	for _, c := range e.children {
		if c.name != "description" {
			list = append(list, c)
		}
	}
	return list
}

// typ returns the first child that is a type, or nil if there is none.
func (e *element) typ() *element {
	if list := e.types(); len(list) > 0 {
		return list[0]
	}
	return nil
}

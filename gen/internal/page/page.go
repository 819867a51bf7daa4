// Package page writes files of Go code: headers, imports, declarations in the layout of gofmt with
// lines of limited width.
package page

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"
)

// File is a file to be written.
type File struct {
	Name, Dir string
	Package   string
	Tag       string          // build constraint
	Doc       []string        // of the package
	Imports   func(*jen.File) // tells jennifer the names of packages
	// Rename changes the names that the file declares at package level. If nil, the names do not
	// change.
	Rename func(string) string
	Parts  []func(*Page)
}

// Content is a written file.
type Content struct {
	Name string // with its directory
	Text []byte
	// Declared are the results of [Page.Name].
	Declared []string
}

// Header is the beginning of all files.
type Header struct {
	Version, Source string
}

// Page collects the declarations of one file. It renders and formats them in parts, because the
// trees of jennifer and of go/format take a hundred times the memory of the text.
type Page struct {
	*jen.Group
	file     *jen.File // of the imports
	rename   func(string) string
	declared map[string]bool
	imported map[string]string
	last     map[string]func(*Page)
	events   int // since the last flush
	body     bytes.Buffer
	err      error
}

// eventsAtOnce is the number of events that are rendered and formatted together.
const eventsAtOnce = 64

// EndEvent must be called after the declarations of an event. The next declaration must begin with
// an empty line.
func (p *Page) EndEvent() {
	if p.events++; p.events >= eventsAtOnce {
		p.flush()
	}
}

// Name returns the name for a declaration at package level, in this file or another file of the
// package.
func (p *Page) Name(name string) string {
	if p.rename != nil {
		name = p.rename(name)
	}
	p.declared[name] = true
	return name
}

// Last declares something at the end of a file of the package: the first one that calls Last with
// its name. It returns the name of the declaration. Files with build constraints have no such
// declarations.
func (p *Page) Last(name string, declare func(p *Page, name string)) string {
	name = p.Name(name)
	p.last[name] = func(p *Page) { declare(p, name) }
	return name
}

// Import imports a package and returns its name, for text.
func (p *Page) Import(path string) string {
	if p.imported[path] == "" {
		var buf bytes.Buffer
		if err := jen.Qual(path, "X").RenderWithFile(&buf, p.file); p.err == nil {
			p.err = err
		}
		p.imported[path], _, _ = strings.Cut(buf.String(), ".")
	}
	return p.imported[path]
}

// ImportName tells jennifer the name of a package.
func (p *Page) ImportName(path, name string) { p.file.ImportName(path, name) }

// Formatted adds text that has the layout of gofmt.
func (p *Page) Formatted(text []byte) {
	p.flush()
	p.append(text, nil)
}

// Text adds text in any layout.
func (p *Page) Text(text []byte) { p.Formatted(p.formatted(text)) }

// Statements renders statements, for text.
func (p *Page) Statements(write func(*jen.Group)) []byte {
	var buf bytes.Buffer
	g := jen.NewFile("").Group
	write(g)
	if err := g.RenderWithFile(&buf, p.file); p.err == nil {
		p.err = err
	}
	if text := bytes.TrimSpace(buf.Bytes()); len(text) > 0 {
		return append(text, '\n')
	}
	return nil
}

func (p *Page) formatted(text []byte) []byte {
	text, err := format.Source(text)
	if p.err == nil {
		p.err = err
	}
	return text
}

// flush renders and formats the declarations in the group.
func (p *Page) flush() {
	var buf bytes.Buffer
	err := p.Group.RenderWithFile(&buf, p.file)
	p.append(buf.Bytes(), err)
	p.Group, p.events = jen.NewFile("").Group, 0
}

func (p *Page) append(text []byte, err error) {
	if err == nil {
		text, err = wrap(text)
	}
	if p.err == nil {
		p.err = err
	}
	if text = bytes.TrimSpace(text); len(text) > 0 {
		p.body.WriteByte('\n')
		p.body.Write(text)
		p.body.WriteByte('\n')
	}
}

// Write renders all files in parallel, and returns them sorted by name.
func Write(files []*File, header Header) ([]Content, error) {
	var wg sync.WaitGroup
	pages := make([]*Page, len(files))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, f := range files {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			pages[i] = f.fill()
		})
	}
	wg.Wait()
	declared := map[string]bool{}
	out := make([]Content, len(files))
	var errs []error
	for i, f := range files {
		pages[i].writeLast(f.Dir, declared)
		text, err := f.text(pages[i], header)
		out[i] = Content{path.Join(f.Dir, f.Name), text, slices.Sorted(maps.Keys(pages[i].declared))}
		errs = append(errs, err)
	}
	slices.SortFunc(out, func(a, b Content) int { return cmp.Compare(a.Name, b.Name) })
	return out, errors.Join(errs...)
}

// writeLast writes the declarations that the package still lacks at the end of another file.
func (p *Page) writeLast(dir string, declared map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(p.last)) {
		if key := dir + "\x00" + name; !declared[key] {
			declared[key] = true
			p.Line()
			p.last[name](p)
		}
	}
	p.flush()
}

// fill writes the declarations of a file into a Page.
func (f *File) fill() *Page {
	file := jen.NewFile(f.Package)
	file.NoFormat = true
	if f.Imports != nil {
		f.Imports(file)
	}
	p := &Page{
		Group: jen.NewFile("").Group, file: file, rename: f.Rename, declared: map[string]bool{},
		imported: map[string]string{},
		last:     map[string]func(*Page){},
	}
	for _, write := range f.Parts {
		write(p)
	}
	return p
}

// text returns the whole file.
func (f *File) text(p *Page, header Header) ([]byte, error) {
	if p.err != nil {
		return nil, fmt.Errorf("gen: %s does not parse, which is a bug of tracec: %w", f.Name, p.err)
	}
	for _, line := range f.Doc {
		p.file.PackageComment(line)
	}
	var head bytes.Buffer
	header.write(&head, f.Tag)
	if err := p.file.Render(&head); err != nil {
		return nil, fmt.Errorf("gen: %s: %w", f.Name, err)
	}
	out, err := format.Source(groupImports(head.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("gen: %s: %w", f.Name, err)
	}
	return append(bytes.TrimRight(out, "\n"), append([]byte("\n"), p.body.Bytes()...)...), nil
}

// sourceLine is the beginning of the second line of a file. The line names the input of the file.
const sourceLine = "// Source: "

// write writes the lines before the package clause. Go tools recognize generated code by the first
// one.
func (h Header) write(buf *bytes.Buffer, tag string) {
	fmt.Fprintf(buf, "// Code generated by tracec %s; DO NOT EDIT.\n", Plain(h.Version))
	if h.Source != "" {
		fmt.Fprintf(buf, sourceLine+"%s\n", Plain(h.Source))
	}
	if tag != "" {
		fmt.Fprintf(buf, "\n//go:build %s\n", tag)
	}
	buf.WriteByte('\n')
}

// CutSource returns the source that a file names, and the file without this line. If there is no
// such line, source is empty.
func CutSource(content []byte) (source string, rest []byte) {
	first, after, _ := bytes.Cut(content, []byte("\n"))
	line, after, _ := bytes.Cut(after, []byte("\n"))
	name, ok := bytes.CutPrefix(line, []byte(sourceLine))
	if !ok {
		return "", content
	}
	return string(name), slices.Concat(first, []byte("\n"), after)
}

// groupImports puts an empty line between the imports of the standard library and others, as
// goimports does.
func groupImports(head []byte) []byte {
	before, block, ok := bytes.Cut(head, []byte("import (\n"))
	if !ok {
		return head
	}
	block, after, _ := bytes.Cut(block, []byte(")"))
	var own, others []byte
	for line := range bytes.Lines(block) {
		path := line[bytes.IndexByte(line, '"')+1:]
		if first, _, _ := bytes.Cut(path, []byte("/")); bytes.IndexByte(first, '.') >= 0 {
			others = append(others, line...)
		} else {
			own = append(own, line...)
		}
	}
	if own == nil || others == nil {
		return head
	}
	return slices.Concat(before, []byte("import (\n"), own, []byte("\n"), others, []byte(")"), after)
}

package parquet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec/internal/fileset"
)

// Compact merges the small files of a table with the same columns, even of different recordings, so
// that queries open fewer files. A small file has at most a quarter of the rows of a row group, and
// the merged file has one row group. The rows of a recording keep their order, and recordings are
// in the order of their IDs, independent of earlier merges. The manifest is written first. Then the
// files that it no longer names are removed. No other writer may be running.
func (m *Manifest) Compact(ctx context.Context, dir string) error {
	tmp, err := os.MkdirTemp(dir, temporary)
	if err != nil {
		return err
	}
	kept := fileset.Temporary(tmp)
	defer func() {
		os.RemoveAll(tmp)
		kept()
	}()
	var gone []string
	for _, group := range m.small(dir) {
		var old []string
		if err = ctx.Err(); err == nil {
			old, err = m.join(dir, tmp, group)
		}
		if err != nil { // the files of earlier merges are kept
			break
		}
		gone = append(gone, old...)
	}
	if len(gone) == 0 {
		return err
	}
	if e := m.Write(dir); e != nil {
		return errors.Join(err, e)
	}
	for _, name := range gone {
		err = errors.Join(err, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
	}
	return err
}

// smallFile is a file to merge with others.
type smallFile struct {
	path    string
	columns string // text of the schema
	rows    int64
	owner   string // first of its recordings
	runs    []run  // in the order of the file
}

// run describes the rows of a recording in a file.
type run struct {
	entry *Entry
	file  *smallFile
	rows  int64
}

// small returns the files to merge, grouped by the merged file.
func (m *Manifest) small(dir string) [][]*smallFile {
	byPath := map[string]*smallFile{}
	for _, e := range m.Sources {
		for i := range e.Files {
			f := &e.Files[i]
			s := byPath[f.Path]
			if s == nil {
				s = &smallFile{path: f.Path, owner: e.ID}
				byPath[f.Path] = s
			}
			s.rows += f.Rows
			s.runs = append(s.runs, run{e, s, f.Rows})
		}
	}
	groups := map[string][]*smallFile{}
	for _, s := range byPath {
		// Incomplete sources are tried again.
		whole := !slices.ContainsFunc(s.runs, func(r run) bool { return !r.entry.Whole() })
		if most := int64(groupRows); s.rows > most/4 && len(s.runs) == 1 || s.rows > most/2 || !whole {
			continue
		}
		key := path.Dir(s.path)
		groups[key] = append(groups[key], s)
	}
	var list [][]*smallFile
	for _, files := range groups {
		if len(files) > 1 {
			list = append(list, bins(dir, files)...)
		}
	}
	slices.SortFunc(list, func(a, b []*smallFile) int { return cmp.Compare(a[0].path, b[0].path) })
	return list
}

// bins groups the small files of a folder for merging.
func bins(dir string, files []*smallFile) (list [][]*smallFile) {
	for _, s := range files {
		s.columns = columnsOf(filepath.Join(dir, filepath.FromSlash(s.path)))
	}
	slices.SortFunc(files, func(a, b *smallFile) int {
		return cmp.Or(cmp.Compare(a.columns, b.columns), cmp.Compare(a.owner, b.owner), cmp.Compare(a.path, b.path))
	})
	var bin []*smallFile
	rows := int64(0)
	end := func() {
		if len(bin) > 1 {
			list = append(list, bin)
		}
		bin, rows = nil, 0
	}
	for _, s := range files {
		if len(bin) > 0 && (s.columns != bin[0].columns || rows+s.rows > int64(groupRows)) {
			end()
		}
		if s.columns != "" {
			bin, rows = append(bin, s), rows+s.rows
		}
	}
	end()
	return list
}

// columnsOf returns the schema of a file. It returns "" if the file cannot be read: it is then not
// merged.
func columnsOf(name string) string {
	f, file, err := openParquet(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	return file.Schema().String()
}

func openParquet(name string) (*os.File, *pq.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	file, err := pq.OpenFile(f, st.Size(), pq.SkipBloomFilters(true))
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, file, nil
}

// join merges files and changes the entries. It returns the files that are no longer needed.
func (m *Manifest) join(dir, tmp string, files []*smallFile) (gone []string, err error) {
	var runs []run
	for _, s := range files {
		gone, runs = append(gone, s.path), append(runs, s.runs...)
	}
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.entry.ID, b.entry.ID) })
	entries := make([]*Entry, 0, len(runs))
	for _, r := range runs {
		entries = append(entries, r.entry)
	}
	entries = slices.Compact(entries)
	sum := sha256.New()
	for _, e := range entries {
		fmt.Fprintln(sum, e.ID)
	}
	fmt.Fprintln(sum, files[0].columns)
	id := hex.EncodeToString(sum.Sum(nil)[:8])
	made := filepath.Join(tmp, id)
	size, err := writeRuns(dir, made, files[0], runs)
	if err != nil {
		return nil, err
	}
	to := unused(path.Dir(files[0].path), id, entries)
	if err := os.Rename(made, filepath.Join(dir, filepath.FromSlash(to))); err != nil {
		return nil, err
	}
	old := map[string]bool{}
	for _, name := range gone {
		old[name] = true
	}
	for _, e := range entries {
		e.rename(old, to, size)
	}
	return gone, nil
}

// unused returns a name for a file that the entries do not use. A recording whose times step back
// and forth has many files in one folder, which may become several merged files.
func unused(folder, id string, entries []*Entry) string {
	for number := 0; ; number++ {
		name := path.Join(folder, fileName(id, number))
		has := func(f File) bool { return f.Path == name }
		if !slices.ContainsFunc(entries, func(e *Entry) bool { return slices.ContainsFunc(e.Files, has) }) {
			return name
		}
	}
}

// rename replaces an entry's merged files by the new file.
func (e *Entry) rename(gone map[string]bool, to string, size int64) {
	var made *File
	kept := make([]File, 0, len(e.Files))
	for _, f := range e.Files {
		if !gone[f.Path] {
			kept = append(kept, f)
			continue
		}
		if made == nil {
			made = &File{Path: to, Event: f.Event, Date: f.Date, Bytes: size, First: f.First, Last: f.Last}
		}
		made.Rows += f.Rows
		made.First, made.Last = min(made.First, f.First), max(made.Last, f.Last)
	}
	if made != nil {
		kept = append(kept, *made)
		slices.SortFunc(kept, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	}
	e.Files = kept
}

// like returns writer options for a file with the columns, encodings and filters of another.
func like(file *pq.File) []pq.WriterOption {
	options := []pq.WriterOption{
		file.Schema(), pq.Compression(codec), pq.PageBufferSize(pageBytes),
		pq.DataPageStatistics(false), pq.CreatedBy("tracec", "1", "0"),
	}
	var filters []pq.BloomFilterColumn
	if groups := file.Metadata().RowGroups; len(groups) > 0 {
		for i := range groups[0].Columns {
			if c := &groups[0].Columns[i].MetaData; c.BloomFilterOffset > 0 {
				filters = append(filters, pq.SplitBlockFilter(bloomBits, c.PathInSchema...))
			}
		}
	}
	return append(options, pq.BloomFilters(filters...))
}

// writeRuns writes a file with the columns of the first file, and returns its size. The result does
// not depend on the steps of earlier merges.
func writeRuns(dir, name string, first *smallFile, runs []run) (size int64, err error) {
	in := runReader{dir: dir, buf: make([]pq.Row, 256), read: map[*smallFile]int64{}}
	defer in.close()
	if err := in.open(first); err != nil {
		return 0, err
	}
	out := &output{path: name}
	w := pq.NewGenericWriter[any](out, like(in.file)...)
	if err := out.open(); err != nil {
		return 0, err
	}
	for _, r := range runs {
		if err = in.copy(w, r); err != nil {
			err = fmt.Errorf("%s: %w", r.file.path, err)
			break
		}
	}
	err = errors.Join(err, w.Close(), out.close())
	return out.size, err
}

// runReader reads runs. It keeps one file open and holds few rows, since there may be thousands of
// files, and rows may be long.
type runReader struct {
	dir  string
	buf  []pq.Row
	of   *smallFile
	f    *os.File
	file *pq.File
	rows pq.Rows
	read map[*smallFile]int64
}

func (in *runReader) open(s *smallFile) error {
	if in.of == s {
		return nil
	}
	in.close()
	f, file, err := openParquet(filepath.Join(in.dir, filepath.FromSlash(s.path)))
	if err != nil {
		return err
	}
	in.of, in.f, in.file, in.rows = s, f, file, pq.MultiRowGroup(file.RowGroups()...).Rows()
	if n := in.read[s]; n > 0 {
		return in.rows.SeekToRow(n)
	}
	return nil
}

func (in *runReader) close() {
	if in.of != nil {
		in.rows.Close()
		in.f.Close()
		in.of = nil
	}
}

// copy writes the rows of a run, which follow the rows that were already read from its file.
func (in *runReader) copy(w pq.RowWriter, r run) error {
	if err := in.open(r.file); err != nil {
		return err
	}
	leaf, ok := in.file.Schema().Lookup("recording")
	if !ok {
		return errors.New("no column recording")
	}
	for left := r.rows; left > 0; {
		n, err := in.rows.ReadRows(in.buf[:min(left, int64(len(in.buf)))])
		for _, row := range in.buf[:n] {
			if !owned(row, leaf.ColumnIndex, r.entry.ID) {
				return fmt.Errorf("rows of a recording other than %s, which the manifest names", r.entry.ID)
			}
		}
		if _, err := w.WriteRows(in.buf[:n]); err != nil {
			return err
		}
		left -= int64(n)
		if n == 0 && left > 0 {
			return cmp.Or(err, io.ErrUnexpectedEOF)
		}
	}
	in.read[r.file] += r.rows
	return nil
}

// owned reports whether a row belongs to a recording.
func owned(row pq.Row, column int, id string) bool {
	for _, v := range row {
		if v.Column() == column {
			return string(v.ByteArray()) == id
		}
	}
	return false
}

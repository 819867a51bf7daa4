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

// Compact puts the small files of a table that have the same columns together, those of different
// recordings too: queries open fewer files. A small one has a quarter of the rows of a row group
// at most, and what becomes of them has one row group. The rows of a recording stay in their order, and
// recordings are in that of their IDs, whatever was put together before. The manifest is written
// before the files that it no longer names are removed. No other writer may be at work.
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
		if err := ctx.Err(); err != nil {
			return err
		}
		old, err := m.join(dir, tmp, group)
		if err != nil {
			return err
		}
		gone = append(gone, old...)
	}
	if len(gone) == 0 {
		return nil
	}
	if err := m.Write(dir); err != nil {
		return err
	}
	for _, name := range gone {
		err = errors.Join(err, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
	}
	return err
}

// smallFile is a file that is put together with others.
type smallFile struct {
	path    string
	columns string // of the schema
	rows    int64
	owner   string // the first of its recordings
	entries []*Entry
}

// small returns the files to put together, by what they become.
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
			s.entries = append(s.entries, e)
		}
	}
	groups := map[string][]*smallFile{}
	for _, s := range byPath {
		whole := !slices.ContainsFunc(s.entries, func(e *Entry) bool { return !e.Whole() }) // others are tried again
		if most := int64(groupRows); s.rows > most/4 && len(s.entries) == 1 || s.rows > most/2 || !whole {
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

// bins returns which of the small files of a folder become one.
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

// columnsOf returns the schema of a file, empty when it cannot be read: it stays as it is.
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

// run is the rows of a recording in a file.
type run struct {
	owner string
	rows  []pq.Row
}

// join puts files together and changes the entries. It returns the files that are not needed any more.
func (m *Manifest) join(dir, tmp string, files []*smallFile) (gone []string, err error) {
	var runs []run
	var options []pq.WriterOption
	for i, s := range files {
		f, file, err := openParquet(filepath.Join(dir, filepath.FromSlash(s.path)))
		if err != nil {
			return nil, err
		}
		if i == 0 { // that of the first recording, in whatever steps others come to it
			options = like(file)
		}
		runs, err = readRuns(runs, file)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", s.path, err)
		}
	}
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.owner, b.owner) })
	sum := sha256.New()
	for i := range runs {
		if i == 0 || runs[i].owner != runs[i-1].owner {
			fmt.Fprintln(sum, runs[i].owner)
		}
	}
	fmt.Fprintln(sum, files[0].columns)
	name := fileName(hex.EncodeToString(sum.Sum(nil)[:8]), 0)
	made := filepath.Join(tmp, name)
	size, err := writeRuns(made, options, runs)
	if err != nil {
		return nil, err
	}
	to := path.Join(path.Dir(files[0].path), name)
	if err := os.Rename(made, filepath.Join(dir, filepath.FromSlash(to))); err != nil {
		return nil, err
	}
	for _, s := range files {
		gone = append(gone, s.path)
	}
	for _, e := range m.Sources {
		e.rename(gone, to, size)
	}
	return gone, nil
}

// rename has an entry's files that became one be that.
func (e *Entry) rename(gone []string, to string, size int64) {
	var made *File
	kept := make([]File, 0, len(e.Files))
	for _, f := range e.Files {
		if !slices.Contains(gone, f.Path) {
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

// readRuns appends the rows of a file, by their recordings.
func readRuns(runs []run, file *pq.File) ([]run, error) {
	leaf, ok := file.Schema().Lookup("recording")
	if !ok {
		return nil, errors.New("no column recording")
	}
	buf := make([]pq.Row, 256)
	first := true
	for _, g := range file.RowGroups() {
		rows := g.Rows()
		for {
			n, err := rows.ReadRows(buf)
			for _, row := range buf[:n] {
				owner := ""
				for _, v := range row {
					if v.Column() == leaf.ColumnIndex {
						owner = string(v.ByteArray())
					}
				}
				if first || runs[len(runs)-1].owner != owner {
					runs, first = append(runs, run{owner: owner}), false
				}
				last := &runs[len(runs)-1]
				last.rows = append(last.rows, row.Clone())
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				rows.Close()
				return nil, err
			}
		}
		if err := rows.Close(); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// like returns the options of a writer of a file like another: its columns, encodings and filters.
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

// writeRuns writes a file and returns its size.
func writeRuns(name string, options []pq.WriterOption, runs []run) (int64, error) {
	out := &output{path: name}
	if err := out.open(); err != nil {
		return 0, err
	}
	w := pq.NewGenericWriter[any](out, options...)
	var err error
	for _, r := range runs {
		if _, err = w.WriteRows(r.rows); err != nil {
			break
		}
	}
	err = errors.Join(err, w.Close(), out.close())
	return out.size, err
}

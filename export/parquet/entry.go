package parquet

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// fill sets the counts of written data in an entry.
func (w *writer) fill(e *Entry) {
	m := &w.machine
	e.Host, e.System, e.Release, e.Arch, e.Clock, e.Ticks = w.host, m.System, m.Release, m.Arch, m.Clock, m.Ticks
	if m.HasWall {
		e.Wall = &m.Wall
	}
	slices.SortFunc(w.sum.descriptions, func(a, b [sha256.Size]byte) int { return slices.Compare(a[:], b[:]) })
	sum := sha256.New()
	for _, d := range slices.Compact(w.sum.descriptions) {
		sum.Write(d[:])
	}
	e.Descriptions = hex.EncodeToString(sum.Sum(nil))
	if e.Rows = w.sum.rows; w.sum.rows > 0 {
		e.First, e.Last = &w.sum.first, &w.sum.last
	}
	counts := map[string]int64{}
	for _, p := range w.files.parts {
		if p.rows == 0 {
			continue
		}
		if !w.options.Wide {
			counts[p.event] += p.rows
		}
		e.Files = append(e.Files, File{
			Path: path.Join(partition(w.host, p.date, p.event), fileName(e.ID, p.number)), Event: p.event, Date: p.date,
			Rows: p.rows, Bytes: p.bytes,
			First: p.first, Last: p.till,
		})
	}
	for _, c := range w.sum.counts {
		counts[c.Event] += c.Rows
	}
	for event, rows := range counts {
		e.Events = append(e.Events, EventRow{event, rows})
	}
	slices.SortFunc(e.Events, func(a, b EventRow) int { return strings.Compare(a.Event, b.Event) })
	e.Lost = w.sum.lost
	rec := w.reader.Recording()
	stats := rec.DamageStats()
	e.Damage.Count, e.Damage.Skipped = stats.Count, stats.Skipped
	for _, d := range rec.Damage() {
		e.Damage.Places = append(e.Damage.Places, Place{filepath.ToSlash(d.File), d.Offset, d.Error()})
	}
	if w.runErr != nil {
		e.Errors = append(e.Errors, w.runErr.Error())
	}
}

// place moves the files to their places.
func (w *writer) place(dir string, e *Entry) error {
	i := 0
	for _, p := range w.files.parts {
		if p.rows == 0 {
			continue
		}
		to := filepath.Join(dir, filepath.FromSlash(e.Files[i].Path))
		i++
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.Rename(p.path, to); err != nil {
			return err
		}
	}
	slices.SortFunc(e.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

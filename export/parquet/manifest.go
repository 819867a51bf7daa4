package parquet

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracec/tracec/internal/fileset"
)

// ManifestName is the name of the manifest in the folder of a data set.
const ManifestName = "manifest.json"

// ManifestFormat and ManifestVersion are at the beginning of a manifest. The version is incremented
// when readers of the previous version would misread a manifest. New members do not change it.
const (
	ManifestFormat  = "tracec-parquet"
	ManifestVersion = 1
)

// A Manifest lists the contents of a data set. It is written as JSON, after all files of a source.
// A file that it does not name is not part of the data set.
type Manifest struct {
	Format  string   `json:"format"`  // ManifestFormat
	Version int      `json:"version"` // ManifestVersion
	Layout  string   `json:"layout"`  // events, tables (events and the tables of package tables) or wide
	Sources []*Entry `json:"sources"` // by ID
}

// Entry describes one recording, or a slice of it, in a data set.
type Entry struct {
	// ID is part of the names of the files. It depends on the contents of the recording and on the
	// selected part.
	ID     string `json:"id"`
	Path   string `json:"path"`   // path of the recording, as given
	Size   int64  `json:"size"`   // in bytes; for a directory, of all its files
	SHA256 string `json:"sha256"` // of the file; for a directory, of the names, sizes and hashes of its files
	Chosen string `json:"chosen"` // the selection, as command-line options; empty selects all
	Tool   string `json:"tool"`   // name and version of the writer of the files

	Host         string `json:"host"` // empty if unknown
	System       string `json:"system"`
	Release      string `json:"release"`
	Arch         string `json:"arch"`
	Clock        string `json:"clock"`        // clock of the column time
	Ticks        bool   `json:"ticks"`        // the column time counts ticks instead of nanoseconds
	Wall         *int64 `json:"wall"`         // ns; the column time plus Wall is ns since 1970 UTC; null if unknown
	Descriptions string `json:"descriptions"` // SHA-256 of the descriptions of the written events

	Rows   int64      `json:"rows"`
	First  *uint64    `json:"first"` // lowest and highest time of a row; null without rows
	Last   *uint64    `json:"last"`
	Events []EventRow `json:"events"` // sorted by name
	Files  []File     `json:"files"`  // sorted by path

	Lost   Lost     `json:"lost"`
	Damage Damage   `json:"damage"`
	Errors []string `json:"errors"` // why the recording, or a part of it, is missing
}

// EventRow counts one kind of event of a source.
type EventRow struct {
	Event string `json:"event"` // the unescaped value of the partition
	Rows  int64  `json:"rows"`
}

// File is a file of a data set.
type File struct {
	Path  string `json:"path"` // relative to the folder of the data set, with slashes
	Event string `json:"event,omitempty"`
	Date  string `json:"date,omitempty"` // UTC
	Rows  int64  `json:"rows"`           // rows of the source: a file may have rows of several sources
	Bytes int64  `json:"bytes"`          // size of the file
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
}

// Lost counts the recorder's losses.
type Lost struct {
	Events  int64 `json:"events"`  // sum of the known numbers
	Unknown int64 `json:"unknown"` // number of places with an unknown number
}

// Damage is an unreadable place of a recording.
type Damage struct {
	Count   int64   `json:"count"`
	Skipped int64   `json:"skipped"` // number of bytes
	Places  []Place `json:"places"`  // the first damaged places
}

// Place is an unreadable place.
type Place struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Text   string `json:"text"`
}

// Whole reports whether the source need not be tried again.
func (e *Entry) Whole() bool { return len(e.Errors) == 0 }

// NewManifest returns the manifest of an empty data set.
func NewManifest(o Options) *Manifest {
	return &Manifest{Format: ManifestFormat, Version: ManifestVersion, Layout: o.layout()}
}

// ReadManifest returns the manifest of the data set in a folder. The error is fs.ErrNotExist if it
// is missing.
func ReadManifest(dir string) (*Manifest, error) {
	name := filepath.Join(dir, ManifestName)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if m.Format != ManifestFormat {
		return nil, fmt.Errorf("%s: no manifest of a data set of tracec", name)
	}
	if m.Version != ManifestVersion {
		return nil, fmt.Errorf("%s: version %d of the manifest (want %d)", name, m.Version, ManifestVersion)
	}
	return m, nil
}

// Entry returns the entry with that ID, or nil.
func (m *Manifest) Entry(id string) *Entry {
	for _, e := range m.Sources {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// Add adds entries. They replace entries with the same ID.
func (m *Manifest) Add(entries ...*Entry) {
	for _, e := range entries {
		m.Sources = slices.DeleteFunc(m.Sources, func(old *Entry) bool { return old.ID == e.ID })
		m.Sources = append(m.Sources, e)
	}
	slices.SortFunc(m.Sources, func(a, b *Entry) int { return cmp.Compare(a.ID, b.ID) })
}

// Merge adds the entries of another manifest, such as the manifest of another writer of the data
// set.
func (m *Manifest) Merge(other *Manifest) error {
	if m.Layout != other.Layout {
		return fmt.Errorf("parquet: a data set of layout %s and one of layout %s", m.Layout, other.Layout)
	}
	m.Add(other.Sources...)
	return nil
}

// Sweep removes files in the folder of a data set that the manifest does not name: files of writers
// that were killed. No writer may be running.
func (m *Manifest) Sweep(dir string) error { return sweep(dir, m, true) }

// Write writes the manifest to the folder of the data set, by renaming a temporary file, and the
// table of recordings.
func (m *Manifest) Write(dir string) error {
	if err := m.writeRecordings(dir); err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	return fileset.Replace(filepath.Join(dir, ManifestName), append(text, '\n'))
}

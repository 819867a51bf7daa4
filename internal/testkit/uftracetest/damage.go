package uftracetest

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
)

// All returns the files of all saved recordings, by name.
func All(t testing.TB) map[string]fstest.MapFS {
	t.Helper()
	all := map[string]fstest.MapFS{}
	for _, name := range Saved(t) {
		all[name] = Files(t, name)
	}
	return all
}

// Damaged draws one of the recordings, and changes bytes of its copy at up to that many places.
// With cut, the end of a changed file may be missing.
func Damaged(t *rapid.T, recordings map[string]fstest.MapFS, places int, cut bool) fstest.MapFS {
	files := maps.Clone(recordings[rapid.SampledFrom(slices.Sorted(maps.Keys(recordings))).Draw(t, "recording")])
	var list []string
	for _, file := range slices.Sorted(maps.Keys(files)) { // sorted, so that a seed draws the same again
		if len(files[file].Data) > 0 {
			list = append(list, file)
		}
	}
	for range rapid.IntRange(1, places).Draw(t, "changes") {
		file := rapid.SampledFrom(list).Draw(t, "file")
		data := bytes.Clone(files[file].Data)
		data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		if cut {
			data = data[:rapid.IntRange(1, len(data)).Draw(t, "length")]
		}
		files[file] = &fstest.MapFile{Data: data}
	}
	return files
}

package uftracetest

import (
	"testing"
	"testing/fstest"
)

// Unpack returns the files of a compressed archive.
func Unpack(t testing.TB, archive string) fstest.MapFS {
	t.Helper()
	return unpack(t, archive, "")
}

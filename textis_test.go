package tracec_test

import (
	"bytes"
	"testing"

	"github.com/tracec/tracec"
)

// TestTextIs: TextIs is true only for the text itself, not for a longer or shorter one.
func TestTextIs(t *testing.T) {
	for _, name := range []string{"testdata/ftrace/amd64-syscalls.dat", "testdata/ftrace/s390x-markers.dat",
		"testdata/ftrace/amd64-extract.dat"} {
		rec, err := tracec.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		texts := 0
		for e := range rec.Events(t.Context()) {
			for i := range e.Type.Fields {
				v, ok := e.At(i)
				if !ok || e.Type.Fields[i].Kind != tracec.Text || bytes.IndexByte(v.Bytes(), 0) >= 0 {
					continue
				}
				s := string(v.Bytes())
				if !e.TextIs(i, s) || e.TextIs(i, s+"x") || s != "" && e.TextIs(i, s[:len(s)-1]) {
					t.Fatalf("%s: %s: field %s is %q, TextIs does not say so", name, e.Type.Name, e.Type.Fields[i].Name,
						s)
				}
				if texts++; texts == 3000 {
					break
				}
			}
			if texts >= 3000 {
				break
			}
		}
		if texts < 30 {
			t.Errorf("%s: only %d texts", name, texts)
		}
	}
}

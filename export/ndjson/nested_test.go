package ndjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/ndjson"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
)

// TestNested: structures are objects, also within lists. Values that a record lacks are null.
func TestNested(t *testing.T) {
	rec := lttngtest.Nested(t)
	for quote, want := range map[bool][]string{
		false: {
			`{"a":{"x":-2,"s":"a\"b"},"b":[{"n":1,"tags":[5,6]},{"n":2,"tags":[7,8]}],"c":{"u":0,"f":2.5},"d":[["p","q"]]}`,
			`{"a":{"x":-2,"s":"a\"b"},"b":[{"n":1,"tags":[5,6]},{"n":2,"tags":[7]}],"c":null,"d":null}`,
		},
		true: {
			`{"a":{"x":-2,"s":"a\"b"},"b":[{"n":"1","tags":[5,6]},{"n":"2","tags":[7,8]}],"c":{"u":0,"f":2.5},"d":[["p","q"]]}`,
			`{"a":{"x":-2,"s":"a\"b"},"b":[{"n":"1","tags":[5,6]},{"n":"2","tags":[7]}],"c":null,"d":null}`,
		},
	} {
		var have []string
		for line := range strings.Lines(string(write(t, rec, ndjson.Options{Quote64: quote}))) {
			var row struct {
				System string
				Fields json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			if row.System == "f" {
				have = append(have, string(row.Fields))
			}
		}
		if d := cmp.Diff(want, have); d != "" {
			t.Errorf("-want +have:\n%s", d)
		}
	}
}

package uftrace

import (
	"encoding/json"
	"testing"
)

// TestQuote has possible names of types in damaged recordings.
func TestQuote(t *testing.T) {
	for _, name := range []string{"dpoint", "dp\x04int", "a\"b\\c", "tab\tline\n\x00\x1f", "operator\"\"s"} {
		var got string
		if err := json.Unmarshal([]byte(`"`+Quote(name)+`"`), &got); err != nil || got != name {
			t.Errorf("Quote(%q) = %s: %q, %v", name, Quote(name), got, err)
		}
	}
}

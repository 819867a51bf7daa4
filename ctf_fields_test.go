package tracec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// TestCTFFields reads traces of one event each, whose values are known from babeltrace's tests, in
// both versions of the format. A trace that cannot be decoded is damage.
func TestCTFFields(t *testing.T) {
	for _, s := range ctftest.Samples(t, "fields") {
		rec, err := ctf.OpenFS(s.Dir, s.Name)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		r, err := tracec.NewReader(rec)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for e := range r.All() {
			root, ok := e.Field("root")
			if !ok {
				t.Errorf("%s: no field root", s.Name)
				continue
			}
			class := e.Entry.(*ctf.Entry).Event.Payload.Members[0].Class
			got = append(got, strings.Join(lines(class, root), "\n")+"\n")
		}
		want, passes := s.Texts["value.txt"]
		switch {
		case r.Err() != nil:
			t.Errorf("%s: %v", s.Name, r.Err())
		case !passes && (len(got) > 0 || len(rec.Damage()) == 0):
			t.Errorf("%s: %q, and no damage", s.Name, got)
		case passes && (len(got) != 1 || got[0] != want || len(rec.Damage()) > 0):
			t.Errorf("%s:\n%sinstead of\n%s%v", s.Name, strings.Join(got, ""), want, rec.Damage())
		}
		rec.Close()
	}
}

// lines writes a value in the form of value.txt of a sample.
func lines(c *metadata.Class, v tracec.Value) (out []string) {
	switch c.Kind {
	case metadata.Struct:
		found := map[string]tracec.Value{}
		for f, m := range v.Fields() {
			found[f.Name] = m
		}
		for _, m := range c.Members {
			sub := []string{"~"} // an optional field without a value
			if x, ok := found[m.Name]; ok {
				sub = lines(m.Class, x)
			}
			out = append(out, item(m.Name+":", sub, m.Class)...)
		}
	case metadata.Array:
		for i := range v.Len() {
			sub := lines(c.Element, v.Elem(i))
			if strings.HasPrefix(sub[0], "- ") {
				out = append(out, "-")
			} else {
				out = append(out, "- "+sub[0])
				sub = sub[1:]
				for i := 0; i < len(sub) && strings.HasPrefix(sub[i], "  "); i++ { // of the first member
					sub[i] = sub[i][2:]
				}
			}
			for _, line := range sub {
				out = append(out, "  "+line)
			}
		}
	case metadata.Optional, metadata.Variant:
		return selected(c, v)
	default:
		return []string{scalar(c, v)}
	}
	if out == nil {
		return []string{"∅"}
	}
	return out
}

// item is a member of a structure.
func item(name string, sub []string, c *metadata.Class) []string {
	if len(sub) == 1 && !strings.HasPrefix(sub[0], "- ") && !strings.Contains(sub[0], ": ") || isScalar(c) {
		return []string{name + " " + sub[0]}
	}
	out := []string{name}
	for _, line := range sub {
		out = append(out, "  "+line)
	}
	return out
}

// isScalar reports whether a class is written in one line, whatever its text is.
func isScalar(c *metadata.Class) bool {
	switch c.Kind {
	case metadata.Struct, metadata.Array, metadata.Optional, metadata.Variant:
		return false
	}
	return true
}

// selected returns the value of an optional field or a variant.
func selected(c *metadata.Class, v tracec.Value) []string {
	for f, x := range v.Fields() {
		if f.Name == "selector" { // the selector is in front of the value
			continue
		}
		if c.Kind == metadata.Optional {
			return lines(c.Element, x)
		}
		for i, o := range c.Options {
			if o.Name == f.Name || o.Name == "" && f.Name == fmt.Sprintf("option %d", i) {
				return lines(o.Class, x)
			}
		}
		return selected(c, x) // the structure of a selector and its field
	}
	return []string{"~"}
}

func scalar(c *metadata.Class, v tracec.Value) string {
	switch c.Kind {
	case metadata.Bool:
		return map[bool]string{true: "yes", false: "no"}[v.Uint() != 0]
	case metadata.BitArray, metadata.BitMap:
		var bits []string
		for i := c.Bits - 1; i >= 0; i-- {
			bits = append(bits, fmt.Sprint(v.Uint()>>i&1))
		}
		return "[" + strings.Join(bits, ", ") + "]"
	case metadata.Float:
		return fmt.Sprintf("%.6f", v.Float())
	case metadata.String, metadata.Text:
		return `"` + string(v.Bytes()) + `"`
	case metadata.Blob:
		if len(v.Bytes()) == 0 {
			return "∅"
		}
		return fmt.Sprintf("% x", v.Bytes())
	}
	if v.Kind() == tracec.Int {
		return fmt.Sprint(v.Int())
	}
	return fmt.Sprintf(map[int]string{2: "0b%b", 8: "0o%o", 10: "%d", 16: "%#x"}[c.Base], v.Uint())
}

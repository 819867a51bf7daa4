package metadata

import (
	gocmp "cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/ctftest"
)

// details prints classes like babeltrace2's sink.text.details.
type details struct{ strings.Builder }

func (d *details) line(level int, format string, args ...any) {
	fmt.Fprintf(d, "%s%s\n", strings.Repeat("  ", level), fmt.Sprintf(format, args...))
}

// commas writes a number. A number of five digits or more gets commas.
func commas(n int64) string {
	s, sign := strconv.FormatInt(n, 10), ""
	if n < 0 {
		s, sign = s[1:], "-"
	}
	for i := len(s) - 3; i > 0 && (n >= 10000 || n <= -10000); i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

var levelNames = []string{"Emergency", "Alert", "Critical", "Error", "Warning", "Notice", "Info", "Debug (system)",
	"Debug (program)", "Debug (process)",
	"Debug (module)", "Debug (unit)", "Debug (function)", "Debug (line)", "Debug"}

func text(t *Trace) string {
	d := &details{}
	d.line(0, "Trace class:")
	streams := slices.Clone(t.Streams)
	slices.SortFunc(streams, func(a, b *Stream) int { return gocmp.Compare(a.ID, b.ID) })
	for _, s := range streams {
		d.line(1, "Stream class (ID %d):", s.ID)
		if c := s.Clock; c != nil {
			d.line(2, "Default clock class:")
			if c.Name.Name != "" {
				d.line(3, "Name: %s", c.Name.Name)
			}
			if c.Name.UID != "" {
				d.line(3, "UID: %s", c.Name.UID)
			}
			if c.Description != "" {
				d.line(3, "Description: %s", c.Description)
			}
			d.line(3, "Frequency (Hz): %s", commas(int64(c.Frequency)))
			d.line(3, "Offset from origin (s): %s", commas(c.Seconds))
			d.line(3, "Offset from origin (cycles): %s", commas(c.Cycles))
		}
		roots = t.scopes(s, nil)
		d.root(2, "Packet context field class", s.PacketContext)
		d.root(2, "Event common context field class", s.EventContext)
		slices.SortFunc(s.Events, func(a, b *Event) int { return gocmp.Compare(a.ID, b.ID) })
		for _, e := range s.Events {
			name := fmt.Sprintf(" `%s`", e.Name.Name)
			if e.Name.Name == "" && t.Version == 2 {
				name = ""
			}
			d.line(2, "Event class%s (ID %s):", name, commas(int64(e.ID)))
			if e.Level != NoLevel {
				d.line(3, "Log level: %s", levelNames[e.Level])
			}
			if e.URI != "" {
				d.line(3, "EMF URI: %s", e.URI)
			}
			roots = t.scopes(s, e)
			d.root(3, "Specific context field class", e.Context)
			d.root(3, "Payload field class", e.Payload)
		}
	}
	return d.String()
}

func (d *details) root(level int, name string, c *Class) {
	if c == nil {
		return
	}
	kept := *c
	kept.Members = slices.DeleteFunc(slices.Clone(c.Members), func(m Member) bool {
		return strings.HasPrefix(name, "Packet") && len(m.Class.Roles) > 0
	})
	if len(kept.Members) == 0 && strings.HasPrefix(name, "Packet") {
		return
	}
	d.class(level, name+": ", &kept)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func ranges(list []Range, signed bool) string {
	var out []string
	for _, r := range list {
		a, b := commas(int64(r.First)), commas(int64(r.Last))
		if r.First == r.Last {
			out = append(out, "["+a+"]")
		} else {
			out = append(out, "["+a+", "+b+"]")
		}
	}
	return strings.Join(out, " ")
}

func (d *details) class(level int, name string, c *Class) {
	sign := "Unsigned"
	if c.Signed {
		sign = "Signed"
	}
	from := ""
	if c.From != nil {
		from = fmt.Sprintf("%s: %s", []string{"Packet header", "Packet context", "Event header",
			"Event common context", "Event specific context", "Event payload"}[c.From.Scope],
			strings.Join(d.where(c.From), ", "))
	}
	switch c.Kind {
	case Int, Varint:
		bits := c.Bits
		if c.Kind == Varint {
			bits = 64
		}
		if c.Labels == nil {
			d.line(level, "%s%s integer (%d-bit, Base %d)", name, sign, bits, c.Base)
			return
		}
		d.line(level, "%s%s enumeration (%d-bit, Base %d, %s):", name, sign, bits, c.Base,
			plural(len(c.Labels), "mapping"))
		labels := slices.Clone(c.Labels)
		slices.SortFunc(labels, func(a, b Label) int { return strings.Compare(a.Name, b.Name) })
		for _, l := range labels {
			d.line(level+1, "%s: %s", l.Name, ranges(l.Ranges, c.Signed))
		}
	case Float:
		d.line(level, "%s%s-precision real", name, map[int]string{32: "Single", 64: "Double"}[c.Bits])
	case String, Text:
		d.line(level, "%sString", name)
	case Struct:
		colon := ":"
		if len(c.Members) == 0 {
			colon = ""
		}
		d.line(level, "%sStructure (%s)%s", name, plural(len(c.Members), "member"), colon)
		for _, m := range c.Members {
			d.class(level+1, m.Name+": ", m.Class)
		}
	case Array:
		switch {
		case c.From == nil:
			d.line(level, "%sStatic array (Length %s):", name, commas(int64(c.Length)))
		case c.From.Scope == PacketHeader || c.From.Scope == EventHeader: // babeltrace2 does not keep these
			d.line(level, "%sDynamic array (no length field):", name)
		default:
			d.line(level, "%sDynamic array (with length field) (Length field location [%s]):", name, from)
		}
		d.class(level+1, "Element: ", c.Element)
	case Variant:
		f := c.From.Fields[0]
		d.line(level, "%sVariant (%s integer selector) (%s, Selector field location [%s]):", name,
			map[bool]string{true: "signed", false: "unsigned"}[f.Signed], plural(len(c.Options), "option"), from)
		for _, o := range c.Options {
			d.class(level+1, o.Name+": "+ranges(o.Ranges, f.Signed)+": ", o.Class)
		}
	case Bool:
		d.line(level, "%sBoolean", name)
	case BitArray:
		d.line(level, "%sBit array (%d-bit)", name, c.Bits)
	case BitMap:
		d.line(level, "%sBit array %s):", name, plural(len(c.Labels), "flag"))
		for _, l := range c.Labels {
			d.line(level+1, "%s: %s", l.Name, ranges(l.Ranges, false))
		}
	default:
		d.line(level, "%s?%d", name, c.Kind)
	}
}

func (d *details) where(r *Reference) []string {
	return d.find(roots[r.Scope], r.Fields[0], nil)
}

var roots [Scopes]*Class

func (d *details) find(c, f *Class, at []string) []string {
	if c == nil {
		return nil
	}
	if c == f {
		return at
	}
	for _, m := range c.Members {
		if x := d.find(m.Class, f, append(slices.Clone(at), m.Name)); x != nil {
			return x
		}
	}
	for _, o := range c.Options {
		if x := d.find(o.Class, f, at); x != nil {
			return x
		}
	}
	return d.find(c.Element, f, at)
}

func blocks(t string) (list []string) {
	for _, b := range strings.Split(t, "\n\n") {
		if i := strings.Index(b, "Trace class:\n"); i >= 0 {
			var lines []string
			indent := ""
			if i > 0 && b[i-1] == ' ' {
				indent = " "
			}
			skip := -1
			for l := range strings.Lines(strings.TrimLeft(b[i:], " ") + "\n") {
				l = strings.TrimPrefix(l, indent)
				in := len(l) - len(strings.TrimLeft(l, " "))
				if skip >= 0 && in > skip {
					continue
				}
				if skip = -1; strings.Contains(l, "User attributes:") {
					skip = in
					continue
				}
				if strings.Contains(l, "upports") || strings.Contains(l, "default clock snapshot") ||
					strings.Contains(l, "Precision") || strings.Contains(l, "Origin") ||
					strings.Contains(l, "Namespace") {
					continue
				}
				lines = append(lines, strings.TrimPrefix(l, indent))
			}
			list = append(list, strings.Join(lines, ""))
		}
	}
	return list
}

// TestDetails compares the classes of all samples with the ones that babeltrace2 lists.
func TestDetails(t *testing.T) {
	compared := 0
	for _, group := range []string{"lttng", "perf", "babeltrace", "barectf", "tracecompass", "odd"} {
		for _, s := range ctftest.Samples(t, group) {
			want := blocks(s.Texts["details.txt"])
			if len(want) == 0 {
				continue
			}
			err := fs.WalkDir(s.Dir, ".", func(name string, e fs.DirEntry, err error) error {
				if err != nil || e.Name() != "metadata" {
					return err
				}
				data, err := fs.ReadFile(s.Dir, name)
				if err != nil {
					return err
				}
				m, err := Read(name, data)
				if m == nil {
					t.Errorf("%s: %v", s.Name, err)
					return nil
				}
				compared++
				if got := text(m); !slices.Contains(want, got) {
					t.Errorf("%s (-want +got):\n%.1000s", s.Name,
						cmp.Diff(strings.Split(want[0], "\n"), strings.Split(got, "\n")))
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if compared < 140 {
		t.Errorf("%d traces compared", compared)
	}
}

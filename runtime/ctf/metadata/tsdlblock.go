package metadata

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/grammar/tsdl"
)

// settings calls value and typ for the settings of a block, and declares its types in their own
// scope. The functions report whether they know the path. Only an environment may have two settings
// of one path. The first one counts.
func (r *tsdlReader) settings(b *tsdl.Block, value func(path string, v *tsdl.Value) bool,
	typ func(path string, c *Class) bool) {
	types, taken := &scope{outer: r.types}, map[string]bool{}
	for _, e := range b.Entries {
		s := e.Setting
		if s == nil {
			r.entry(e, types)
			continue
		}
		path, known := strings.Join(s.Target.Path, "."), false
		if taken[path] && b.Kind != "env" {
			r.report(s.Pos.Offset, "%s has two settings in one %s block", path, b.Kind)
			continue
		}
		taken[path] = true
		if s.Value != nil {
			known = value(path, s.Value)
		} else if c := r.class(s.Type, types, s.Pos); c != nil {
			known = typ(path, c)
		} else {
			continue
		}
		if !known {
			r.warn(s.Pos.Offset, "the %s block has no setting %s", b.Kind, path)
		}
	}
}

func (r *tsdlReader) traceBlock(b *tsdl.Block) {
	if r.traced {
		r.report(b.Pos.Offset, "a second trace block")
		return
	}
	r.traced = true
	before := r.failed
	versions := map[string]string{"major": "1", "minor": "8"}
	r.settings(b, func(path string, v *tsdl.Value) bool {
		switch path {
		case "uuid":
			r.trace.UUID = r.uuid(v)
		case "major", "minor":
			if want := versions[path]; word(v) != want {
				r.report(v.Pos.Offset, "the %s version is %s: %s is read", path, word(v), want)
			}
			delete(versions, path)
		case "byte_order":
		default:
			return false
		}
		return true
	}, func(path string, c *Class) bool {
		if path == "packet.header" {
			r.trace.Header = r.root(c, path, b.Pos.Offset)
		}
		return path == "packet.header"
	})
	r.headerAt, r.headless = b.Pos.Offset, r.trace.Header == nil && r.failed > before && hasHeader(b)
	for path := range versions {
		r.report(b.Pos.Offset, "the trace block has no %s version", path)
	}
}

// hasHeader reports whether a trace block describes packet headers.
func hasHeader(b *tsdl.Block) bool {
	return slices.ContainsFunc(b.Entries, func(e *tsdl.Entry) bool {
		return e.Setting != nil && strings.Join(e.Setting.Target.Path, ".") == "packet.header"
	})
}

// uuid reads a UUID. A UUID of another form identifies nothing, but its text is kept.
func (r *tsdlReader) uuid(v *tsdl.Value) string {
	text := strings.ToLower(word(v))
	if !uuidForm.MatchString(text) {
		r.report(v.Pos.Offset, "%s is not a UUID: want 32 hexadecimal digits, with - after 8, 12, 16 and 20 of them",
			diag.Quote(text))
	}
	return text
}

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func (r *tsdlReader) environment(b *tsdl.Block) {
	r.settings(b, func(path string, v *tsdl.Value) bool {
		x := Variable{Name: path, IsText: v.Number == ""}
		if x.IsText {
			x.Text = word(v)
		} else if n, ok := r.signed(v); ok {
			x.Number = n
		} else {
			return true
		}
		i := slices.IndexFunc(r.trace.Environment, func(o Variable) bool { return o.Name == path })
		if i < 0 {
			r.trace.Environment = append(r.trace.Environment, x)
			return true
		}
		r.warn(v.Pos.Offset, "another value of %s precedes this one; this one is used", path)
		r.trace.Environment[i] = x
		return true
	}, func(string, *Class) bool { return false })
}

func (r *tsdlReader) clock(b *tsdl.Block) {
	c := &Clock{Frequency: 1_000_000_000}
	r.settings(b, func(path string, v *tsdl.Value) bool {
		switch path {
		case "name":
			c.ID = word(v)
			c.Name.Name = c.ID
		case "uuid":
			c.Name.UID = r.uuid(v)
		case "description":
			c.Description = word(v)
		case "freq":
			if c.Frequency, _ = r.unsigned(v); c.Frequency == 0 {
				c.Frequency = 1_000_000_000
				r.report(v.Pos.Offset, "a clock of 0 Hz")
			}
		case "precision":
			c.Precision, _ = r.unsigned(v)
		case "offset_s":
			c.Seconds, _ = r.signed(v)
		case "offset":
			c.Cycles, _ = r.signed(v)
		case "absolute":
			c.Unix = r.truth(v)
		default:
			return false
		}
		return true
	}, func(string, *Class) bool { return false })
	if c.ID == "" {
		r.report(b.Pos.Offset, "a clock without a name")
	}
	r.normalize(c, b.Pos.Offset)
	r.addClock(c, b.Pos.Offset)
}

// normalize moves the whole seconds of an offset in cycles to the seconds.
func (r *tsdlReader) normalize(c *Clock, at int) {
	if c.Frequency > math.MaxInt64 {
		r.report(at, "a clock of %d Hz", c.Frequency)
		c.Frequency = 1_000_000_000
	}
	hz := int64(c.Frequency)
	seconds, cycles := c.Cycles/hz, c.Cycles%hz
	if cycles < 0 {
		seconds, cycles = seconds-1, cycles+hz
	}
	c.Seconds, c.Cycles = c.Seconds+seconds, cycles
}

func (r *tsdlReader) stream(b *tsdl.Block) {
	s, before := &Stream{}, r.failed
	r.settings(b, func(path string, v *tsdl.Value) bool {
		if path == "id" {
			s.ID, _ = r.unsigned(v)
		}
		return path == "id"
	}, func(path string, c *Class) bool {
		switch path {
		case "packet.context":
			s.PacketContext = r.root(c, path, b.Pos.Offset)
		case "event.header":
			s.EventHeader = r.root(c, path, b.Pos.Offset)
		case "event.context":
			s.EventContext = r.root(c, path, b.Pos.Offset)
		default:
			return false
		}
		return true
	})
	if s.at = b.Pos.Offset; r.failed == before { // an incomplete description would be misread
		r.addStream(s, b.Pos.Offset)
	} else {
		r.unusable++
	}
}

func (r *tsdlReader) event(b *tsdl.Block) {
	before := r.failed
	e := &Event{Level: NoLevel}
	d := &declared{at: b.Pos.Offset, event: e}
	r.settings(b, func(path string, v *tsdl.Value) bool {
		switch path {
		case "name":
			e.Name.Name = word(v)
		case "id":
			e.ID, _ = r.unsigned(v)
		case "stream_id":
			n, _ := r.unsigned(v)
			d.stream = &n
		case "loglevel":
			if n, ok := r.signed(v); ok && n >= 0 && n < int64(len(levels)) {
				e.Level = int(n)
			} else if ok {
				r.warn(v.Pos.Offset, "a log level of %d: it is 0 to %d", n, len(levels)-1)
			}
		case "model.emf.uri":
			e.URI = word(v)
		default:
			return false
		}
		return true
	}, func(path string, c *Class) bool {
		switch path {
		case "context":
			e.Context = r.root(c, path, b.Pos.Offset)
		case "fields":
			e.Payload = r.root(c, path, b.Pos.Offset)
		default:
			return false
		}
		return true
	})
	if r.failed == before { // an incomplete description would be misread
		r.events = append(r.events, d)
	}
}

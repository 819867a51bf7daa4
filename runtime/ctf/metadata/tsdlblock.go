package metadata

import (
	"math"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/grammar/tsdl"
)

// settings calls value and typ for the settings of a block, and declares its types in a scope of
// their own. The functions report whether they know the path.
func (r *reader) settings(b *tsdl.Block, value func(path string, v *tsdl.Value) bool, typ func(path string, c *Class) bool) {
	types := &scope{outer: r.types}
	for _, e := range b.Entries {
		s := e.Setting
		if s == nil {
			r.entry(e, types)
			continue
		}
		path, known := strings.Join(s.Path, "."), false
		if s.Value != nil {
			known = value(path, s.Value)
		} else if c := r.class(s.Type, types, s.Pos); c != nil {
			known = typ(path, c)
		} else {
			continue
		}
		if !known {
			r.errors = append(r.errors, diag.New(s.Pos, diag.Warning, CodeMetadata, "a %s block has no %s", b.Kind, path))
		}
	}
}

func (r *reader) traceBlock(b *tsdl.Block) {
	r.traced = true
	r.settings(b, func(path string, v *tsdl.Value) bool {
		switch path {
		case "uuid":
			r.trace.UUID = strings.ToLower(word(v))
		case "major", "minor":
			if want := map[string]string{"major": "1", "minor": "8"}[path]; word(v) != want {
				r.report(v.Pos, "the %s version is %s: %s is read", path, word(v), want)
			}
		case "byte_order":
		default:
			return false
		}
		return true
	}, func(path string, c *Class) bool {
		r.trace.Header = c
		return path == "packet.header"
	})
}

func (r *reader) environment(b *tsdl.Block) {
	r.settings(b, func(path string, v *tsdl.Value) bool {
		x := Variable{Name: path, IsText: v.Number == ""}
		if x.IsText {
			x.Text = word(v)
		} else if n, ok := r.signed(v); ok {
			x.Number = n
		} else {
			return true
		}
		r.trace.Environment = append(r.trace.Environment, x)
		return true
	}, func(string, *Class) bool { return false })
}

func (r *reader) clock(b *tsdl.Block) {
	c := &Clock{Frequency: 1_000_000_000}
	r.settings(b, func(path string, v *tsdl.Value) bool {
		switch path {
		case "name":
			c.ID = word(v)
			c.Name.Name = c.ID
		case "uuid":
			c.Name.UID = strings.ToLower(word(v))
		case "description":
			c.Description = word(v)
		case "freq":
			if c.Frequency, _ = r.unsigned(v); c.Frequency == 0 {
				c.Frequency = 1_000_000_000
				r.report(v.Pos, "a clock of 0 Hz")
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
	r.normalize(c, b.Pos)
	r.trace.Clocks = append(r.trace.Clocks, c)
}

// normalize moves the whole seconds of an offset in cycles to the seconds.
func (r *reader) normalize(c *Clock, pos diag.Position) {
	if c.Frequency > math.MaxInt64 {
		r.report(pos, "a clock of %d Hz", c.Frequency)
		c.Frequency = 1_000_000_000
	}
	hz := int64(c.Frequency)
	seconds, cycles := c.Cycles/hz, c.Cycles%hz
	if cycles < 0 {
		seconds, cycles = seconds-1, cycles+hz
	}
	c.Seconds, c.Cycles = c.Seconds+seconds, cycles
}

func (r *reader) stream(b *tsdl.Block) {
	s := &Stream{}
	r.settings(b, func(path string, v *tsdl.Value) bool {
		if path == "id" {
			s.ID, _ = r.unsigned(v)
		}
		return path == "id"
	}, func(path string, c *Class) bool {
		switch path {
		case "packet.context":
			s.PacketContext = c
		case "event.header":
			s.EventHeader = c
		case "event.context":
			s.EventContext = c
		default:
			return false
		}
		return true
	})
	if streamOf(r.trace, s.ID) != nil {
		r.report(b.Pos, "another stream has the number %d", s.ID)
		return
	}
	r.trace.Streams = append(r.trace.Streams, s)
}

// streamOf returns the stream of a number, or nil.
func streamOf(t *Trace, id uint64) *Stream {
	for _, s := range t.Streams {
		if s.ID == id {
			return s
		}
	}
	return nil
}

func (r *reader) event(b *tsdl.Block) {
	errors := len(r.errors.Worst(diag.Error))
	e := &Event{Level: NoLevel}
	d := &declared{pos: b.Pos, event: e}
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
			n, _ := r.signed(v)
			e.Level = int(n)
		case "model.emf.uri":
			e.URI = word(v)
		default:
			return false
		}
		return true
	}, func(path string, c *Class) bool {
		switch path {
		case "context":
			e.Context = c
		case "fields":
			e.Payload = c
		default:
			return false
		}
		return true
	})
	if len(r.errors.Worst(diag.Error)) == errors { // else what is known of it would be read wrong
		r.events = append(r.events, d)
	}
}

// adopt gives the events to their streams.
func (r *reader) adopt() {
	for _, d := range r.events {
		id := uint64(0)
		if d.stream != nil {
			id = *d.stream
		} else if len(r.trace.Streams) == 1 {
			id = r.trace.Streams[0].ID
		}
		s := streamOf(r.trace, id)
		switch {
		case s == nil && (d.stream == nil || len(r.trace.Streams) == 0):
			s = &Stream{ID: id}
			r.trace.Streams = append(r.trace.Streams, s)
		case s == nil:
			r.report(d.pos, "event %s is of stream %d, which is not declared", diag.Quote(d.event.Name.Name), id)
			continue
		}
		if eventOf(s, d.event.ID) != nil {
			r.report(d.pos, "event %s: another event of stream %d has the number %d", diag.Quote(d.event.Name.Name), id, d.event.ID)
			continue
		}
		s.Events = append(s.Events, d.event)
	}
}

// eventOf returns the event of a number, or nil.
func eventOf(s *Stream, id uint64) *Event {
	for _, e := range s.Events {
		if e.ID == id {
			return e
		}
	}
	return nil
}

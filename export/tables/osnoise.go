package tables

import (
	"strings"

	"github.com/tracec/tracec"
)

// A NoiseSample is a row of [OSNoise]: the tracer osnoise watched a processor for a period. Its
// times are in nanoseconds. The events have microseconds, from time_to_us in
// kernel/trace/trace_osnoise.c.
type NoiseSample struct {
	Row
	Runtime, Noise, Max                  int64  // the sample, all its noise, the longest noise
	Hardware, NMI, IRQ, SoftIRQ, Threads uint64 // number of noises by source
}

// Available returns the part of the time that was available to the program, in percent.
func (s *NoiseSample) Available() float64 {
	if s.Runtime == 0 {
		return 0
	}
	return 100 * float64(s.Runtime-s.Noise) / float64(s.Runtime)
}

// OSNoise has a row for each sample of the tracer osnoise, when it ends.
var OSNoise = &Table[NoiseSample]{
	name: "osnoise",
	doc:  "time of a processor that the system took, from the tracer osnoise",
	need: []string{"ftrace:osnoise"},
	columns: instants(func(s *NoiseSample) *Row { return &s.Row },
		column[NoiseSample]{
			Column{"runtime", "time that it measured", Duration},
			func(s *NoiseSample) Value { return integer(s.Runtime) },
		},
		column[NoiseSample]{
			Column{"noise", "time of the system in it", Duration},
			func(s *NoiseSample) Value { return integer(s.Noise) },
		},
		column[NoiseSample]{
			Column{"max", "the longest of it", Duration},
			func(s *NoiseSample) Value { return integer(s.Max) },
		},
		column[NoiseSample]{
			Column{"hardware", "number of unexplained times", Integer},
			func(s *NoiseSample) Value { return integer(int64(s.Hardware)) },
		},
		column[NoiseSample]{
			Column{"nmi", "number of non-maskable interrupts", Integer},
			func(s *NoiseSample) Value { return integer(int64(s.NMI)) },
		},
		column[NoiseSample]{
			Column{"irq", "number of interrupts", Integer},
			func(s *NoiseSample) Value { return integer(int64(s.IRQ)) },
		},
		column[NoiseSample]{
			Column{"softirq", "number of soft interrupts", Integer},
			func(s *NoiseSample) Value { return integer(int64(s.SoftIRQ)) },
		},
		column[NoiseSample]{
			Column{"threads", "number of runs of other threads", Integer},
			func(s *NoiseSample) Value { return integer(int64(s.Threads)) },
		},
	),
	collect: func(w *Walk, yield func(*NoiseSample) bool) collector { return &noiseSamples{w: w, yield: yield} },
}

// noiseSamples makes the rows of OSNoise.
type noiseSamples struct {
	none
	w     *Walk
	yield func(*NoiseSample) bool
	row   NoiseSample
}

// rule implements collector.
func (c *noiseSamples) rule(t *tracec.Type) rule {
	if t.System != "ftrace" || t.Name != "osnoise" {
		return nil
	}
	runtime, noise, longest := t.Index("runtime"), t.Index("noise"), t.Index("max_sample")
	hw, nmi, irq := t.Index("hw_count"), t.Index("nmi_count"), t.Index("irq_count")
	soft, threads := t.Index("softirq_count"), t.Index("thread_count")
	us := func(ev *tracec.Event, field int) int64 { return int64(bitsAt(ev, field) * 1000) }
	return func(ev *tracec.Event) {
		c.row = NoiseSample{
			Row:     Row{Begin: ev.Time, End: ev.Time, CPU: ev.CPU, Thread: c.w.current(ev)},
			Runtime: us(ev, runtime), Noise: us(ev, noise), Max: us(ev, longest), Hardware: bitsAt(ev, hw),
			NMI: bitsAt(ev, nmi), IRQ: bitsAt(ev, irq), SoftIRQ: bitsAt(ev, soft), Threads: bitsAt(ev, threads),
		}
		c.yield(&c.row)
	}
}

// A Noise is a row of [Noises].
type Noise struct {
	Row
	Kind string // irq, softirq, thread, nmi, or sample: longer than the threshold of the tracer
	Name string // name of the interrupt or the thread
	// Start is its begin in the tracer's clock, which may differ from the clock of the recording.
	Start uint64
	// Duration is its length, without the noise that interrupted it.
	Duration int64
}

// Noises has a row for each noise that the tracers osnoise and timerlat report, when it ends.
var Noises = &Table[Noise]{
	name: "noises",
	doc:  "each time that the system took a processor, as the tracers osnoise and timerlat saw it",
	need: []string{
		"osnoise:irq_noise", "osnoise:softirq_noise", "osnoise:thread_noise", "osnoise:nmi_noise",
		"osnoise:sample_threshold",
	},
	columns: instants(func(n *Noise) *Row { return &n.Row },
		column[Noise]{
			Column{"kind", "irq, softirq, thread, nmi, or sample: the sum was too long", Text},
			func(n *Noise) Value { return text(n.Kind) },
		},
		column[Noise]{Column{"name", "of the interrupt or the thread", Text},
			func(n *Noise) Value { return text(n.Name) }},
		column[Noise]{
			Column{"start", "begin, by the tracer's own clock", Time},
			func(n *Noise) Value { return integer(int64(n.Start)) },
		},
		column[Noise]{
			Column{"duration", "duration, without the noise in it", Duration},
			func(n *Noise) Value { return integer(n.Duration) },
		},
	),
	collect: func(w *Walk, yield func(*Noise) bool) collector { return &noises{w: w, yield: yield} },
}

// noises makes the rows of Noises.
type noises struct {
	none
	w     *Walk
	yield func(*Noise) bool
	row   Noise
}

// rule implements collector.
func (c *noises) rule(t *tracec.Type) rule {
	kind, ok := strings.CutSuffix(t.Name, "_noise")
	if t.Name == "sample_threshold" {
		kind, ok = "sample", true
	}
	if t.System != "osnoise" || !ok {
		return nil
	}
	name := t.Index("desc") // name of an interrupt
	switch kind {
	case "softirq":
		name = t.Index("vector")
	case "thread":
		name = t.Index("comm")
	}
	names, start, duration := naming{field: name}, t.Index("start"), t.Index("duration")
	return func(ev *tracec.Event) {
		c.row = Noise{
			Row: Row{Begin: ev.Time, End: ev.Time, CPU: ev.CPU, Thread: c.w.current(ev)}, Kind: kind,
			Name:  names.of(ev),
			Start: bitsAt(ev, start), Duration: int64(bitsAt(ev, duration)),
		}
		c.yield(&c.row)
	}
}

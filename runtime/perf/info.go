package perf

import "fmt"

// Info has the contents of the feature sections of a recording (perf.md 7). A part is empty if the
// recording does not have its section. It may be incomplete if the section is damaged.
type Info struct {
	Sections     []Section // in the order of the recording
	Host         string
	Release      string // of the kernel
	Version      string // of perf
	Arch         string
	CPUs, Online int
	CPU          string // its description
	CommandLine  []string
	Described    []Described
	Groups       []Group
	First, Last  uint64 // times of the first and the last sample; 0 if not recorded
	Clock        Clock
	Storage      Storage
	Computer     Computer
	BPF          BPF
}

// Described is an event as described in section EVENT_DESC.
type Described struct {
	Name string
	Attr Attr
	IDs  []uint64
}

// Group is a group of events, which are consecutive in the list of attributes.
type Group struct {
	Name    string // empty if the user did not set one
	Leader  uint32 // index of an attribute
	Members uint32 // number of members, including the leader
}

// Clock describes the clock of times.
type Clock struct {
	Resolution uint64 // of the chosen clock, in nanoseconds
	ID         int32  // of clock_gettime(2)
	Wall, Time uint64 // the same moment since 1970 and by the clock, in nanoseconds
}

// Name returns the clock's name as in clock_gettime(2), without CLOCK_. It returns "" if perf does
// not know the clock.
func (c *Clock) Name() string { return clockName(c.ID) }

// Storage describes how records are stored.
type Storage struct {
	// Offset and Size are the place of the records according to the header. They are 0 for a pipe.
	Offset, Size int64
	Compression  Compression
	Directory    uint64 // version of the format of a directory
	Traces       int    // number of records AUXTRACE
}

// Compression is the form of compressed records.
type Compression struct {
	Version, Type, Level, Ratio uint32
	Most                        uint32 // maximum number of bytes to which one record unpacks
}

// Zstd is the Compression.Type of all recordings that perf compresses today.
const Zstd = 1

// feature reads the contents of a section at a place of a file. It reports whether they are intact.
// whole is false if the section is already known to be damaged.
func (r *Recording) feature(f *File, n Feature, at int64, data []byte, whole bool) bool {
	// A part of Info is at most four times as large as its bytes.
	if err := r.memory.Take(4 * int64(len(data))); err != nil {
		r.damage.Note(f.Path, at, int64(len(data)), fmt.Errorf("section %v: %w", n, err))
		return false
	}
	c := &cursor{order: r.order, b: data}
	r.readFeature(n, c)
	err := c.err
	if err == nil && c.short {
		err = fmt.Errorf("it ends too early: %w", ErrCorrupt)
	}
	if err != nil && whole {
		r.damage.Note(f.Path, at, int64(len(data)), fmt.Errorf("section %v: %w", n, err))
	}
	return err == nil && whole
}

// readFeature reads the contents of a section. The sections about hardware are in another source
// file.
func (r *Recording) readFeature(n Feature, c *cursor) {
	i := &r.info
	switch n {
	case FeatureBuildID:
		for len(c.b) > 0 && !c.short {
			r.buildID(c)
		}
	case FeatureHost:
		i.Host = c.text()
	case FeatureRelease:
		i.Release = c.text()
	case FeatureVersion:
		i.Version = c.text()
	case FeatureArch:
		i.Arch = c.text()
	case FeatureCPUs:
		i.CPUs, i.Online = int(c.u32()), int(c.u32())
	case FeatureCPUDesc:
		i.CPU = c.text()
	case FeatureCommandLine:
		i.CommandLine = c.texts()
	case FeatureEventDesc:
		r.eventDesc(c)
	case FeatureGroups:
		i.Groups = list(c, 12, c.group)
	case FeatureSampleTime:
		i.First, i.Last = c.u64(), c.u64()
	case FeatureClockID:
		i.Clock.Resolution = c.u64()
	case FeatureClockData:
		r.clockData(c)
	case FeatureDirectory:
		i.Storage.Directory = c.u64()
	case FeatureCompressed:
		i.Storage.Compression = Compression{c.u32(), c.u32(), c.u32(), c.u32(), c.u32()}
	case FeatureAux:
		i.Storage.traces(c)
	case FeatureBPFPrograms:
		i.BPF.programs = list(c, leastProgram, c.program)
	case FeatureBTF:
		i.BPF.types = list(c, 8, c.bpfTypes)
	default:
		i.Computer.readFeature(n, c, i.CPUs)
	}
}

func (c *cursor) group() Group {
	const unnamed = "{anon_group}"
	g := Group{Name: c.text(), Leader: c.u32(), Members: c.u32()}
	if g.Name == unnamed {
		g.Name = ""
	}
	return g
}

// clockData reads section CLOCK_DATA.
func (r *Recording) clockData(c *cursor) {
	const version = 1
	if !c.version(uint64(c.u32()), version) {
		return
	}
	k := &r.info.Clock
	id, wall, at := int32(c.u32()), c.u64(), c.u64()
	if c.short {
		return
	}
	k.ID, k.Wall, k.Time = id, wall, at
	r.clocks.hasWall, r.clocks.wall = true, int64(wall-at)
}

// traces reads section AUXTRACE: the places and sizes of records.
func (s *Storage) traces(c *cursor) {
	n := c.u64()
	if n > uint64(len(c.b)/placeSize) {
		c.take(-1)
		return
	}
	s.Traces = int(n)
}

// buildID adds a record of the section of build ids.
func (r *Recording) buildID(c *cursor) {
	head := c.take(headerSize)
	if head == nil {
		return
	}
	body := c.take(int(r.order.u16(head[6:])) - headerSize)
	if err := r.modules.addBuild(r.order, r.order.u16(head[4:]), body); err != nil {
		c.err = err
	}
}

// eventDesc sets the names of attributes, and the ids of attributes without ids.
func (r *Recording) eventDesc(c *cursor) {
	events, size := c.u32(), int(c.u32())
	if events > 0 && size < leastAttr {
		c.err = fmt.Errorf("an attribute of %d bytes: %w", size, ErrCorrupt)
		return
	}
	if events > maxAttrs {
		c.err = fmt.Errorf("%d events: %w", events, ErrLimit)
	}
	r.info.Described = nil
	for i := range int(min(events, maxAttrs)) {
		b := c.take(size)
		n := c.count(8)
		name := c.text()
		ids := make([]uint64, 0, n)
		for range n {
			ids = append(ids, c.u64())
		}
		if c.short {
			return
		}
		d := Described{Name: name, Attr: r.order.attr(b), IDs: ids}
		r.info.Described = append(r.info.Described, d)
		r.describeEvent(&d, i)
	}
}

// describeEvent sets the name of an attribute to the name of a description. The attribute is the
// one with the same ids, or else the one at the same position, or else a new one.
func (r *Recording) describeEvent(d *Described, i int) {
	var e *Event
	for _, id := range d.IDs {
		if e = r.byID.find(id); e != nil {
			break
		}
	}
	if e == nil && i < len(r.attrs) {
		e = r.attrs[i]
	}
	if e == nil {
		e = r.addAttr(d.Attr, nil)
	}
	e.Name = d.Name
	for _, id := range d.IDs {
		r.byID.add(id, e)
	}
}

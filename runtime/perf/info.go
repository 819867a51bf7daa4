package perf

// Info is what the feature sections of a recording say (perf.md 7).
type Info struct {
	Features     uint64 // bit n: section n is there
	Host         string
	Release      string // of the kernel
	Version      string // of perf
	Arch         string
	CPUs, Online int
	CPU          string // its description
	CommandLine  []string
	Groups       int    // of events
	First, Last  uint64 // times of the first and the last sample; 0 if not recorded
}

// The numbers of feature sections that are read.
const (
	featTracing     = 1
	featBuildID     = 2
	featHost        = 3
	featRelease     = 4
	featVersion     = 5
	featArch        = 6
	featCPUs        = 7
	featCPUDesc     = 8
	featCommandLine = 11
	featEventDesc   = 12
	featGroups      = 17
	featSampleTime  = 21
	featDirFormat   = 24
	featClockData   = 29

	mostFeatures = 64
)

// feature reads a section.
func (r *Recording) feature(n int, data []byte) {
	c := &cursor{order: r.order, b: data}
	switch n {
	case featBuildID:
		for len(c.b) > 0 && !c.short {
			r.buildID(c)
		}
	case featHost:
		r.info.Host = c.text()
	case featRelease:
		r.info.Release = c.text()
	case featVersion:
		r.info.Version = c.text()
	case featArch:
		r.info.Arch = c.text()
	case featCPUs:
		r.info.CPUs, r.info.Online = int(c.u32()), int(c.u32())
	case featCPUDesc:
		r.info.CPU = c.text()
	case featCommandLine:
		for range c.count(4) {
			r.info.CommandLine = append(r.info.CommandLine, c.text())
		}
	case featEventDesc:
		r.eventDesc(c)
	case featGroups:
		r.info.Groups = int(c.u32())
	case featSampleTime:
		r.info.First, r.info.Last = c.u64(), c.u64()
	case featClockData:
		c.u32() // version
		c.u32() // clock, as the attributes have it
		wall, at := c.u64(), c.u64()
		r.clocks.hasWall, r.clocks.wall = !c.short, int64(wall-at)
	}
	if c.short {
		r.damage.Note(r.files[0].Path, 0, 0, shortFeature(n))
	}
}

// buildID takes a record of the section of build ids.
func (r *Recording) buildID(c *cursor) {
	head := c.take(headerSize)
	if head == nil {
		return
	}
	r.modules.addBuild(r.order, r.order.u16(head[4:]), c.take(int(r.order.u16(head[6:]))-headerSize))
}

// eventDesc gives names to the attributes, and ids to those that have none.
func (r *Recording) eventDesc(c *cursor) {
	events, size := c.u32(), int(c.u32())
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
		var e *Event
		for _, id := range ids {
			if e = r.byID.find(id); e != nil {
				break
			}
		}
		if e == nil && i < len(r.attrs) {
			e = r.attrs[i]
		}
		if e == nil {
			e = r.addAttr(r.order.attr(b), nil)
		}
		e.Name = name
		for _, id := range ids {
			r.byID.add(id, e)
		}
	}
}

package profile

import "github.com/tracec/tracec/internal/lookup"

// place is a location of pprof: the frames of an address.
type place struct {
	frame  int32
	around int32 // the place without its innermost function; -1 if no function is inlined
	used   bool
}

// locate finds the places of all stacks. A stack comes after its parent.
func (p *pprofWriter) locate() {
	var known lookup.Table // from (place around + 1, frame) to place
	p.at = make([]int32, len(p.tree.nodes))
	for i := range p.tree.nodes {
		n := &p.tree.nodes[i]
		if n.parent < 0 {
			continue
		}
		around := int32(-1)
		if p.tree.frames[n.frame].within {
			around = p.at[n.parent]
		}
		key := uint64(around+1)<<32 | uint64(uint32(n.frame))
		at, ok := known.Find(key)
		if !ok {
			at = int32(len(p.places))
			p.places = append(p.places, place{frame: n.frame, around: around})
			known.Add(key, at)
		}
		p.at[i] = at
	}
}

// locations writes the places of samples, with their functions and the mappings of their modules.
// Of inlined functions, the innermost is first.
func (p *pprofWriter) locations() {
	lined := map[string]bool{} // modules with lines
	for i := range p.places {
		f := &p.tree.frames[p.places[i].frame]
		lined[f.module] = lined[f.module] || f.source != ""
	}
	var lines, line message
	for i := range p.places {
		if !p.places[i].used {
			continue
		}
		lines = lines[:0]
		var f *frame
		for at := int32(i); at >= 0; at = p.places[at].around {
			f = &p.tree.frames[p.places[at].frame]
			line = line[:0]
			line.number(lineFunction, p.function(*f))
			line.number(lineLine, int64(f.line))
			lines.bytes(locationLine, line)
		}
		mapping := p.mapping(f.module, lined[f.module])
		p.sub = p.sub[:0]
		p.sub.number(locationID, int64(i)+1)
		p.sub.number(locationMapping, mapping)
		p.sub = append(p.sub, lines...)
		p.out.bytes(profileLocation, p.sub)
		p.flush(flushSize)
	}
}

// function returns the function of a frame. Frames of several lines share it.
func (p *pprofWriter) function(f frame) int64 {
	f.line, f.within = 0, false
	id, ok := p.known[f]
	if !ok {
		id = int64(len(p.known)) + 1
		p.known[f] = id
		p.sub = p.sub[:0]
		p.sub.number(functionID, id)
		p.sub.number(functionName, p.text(f.name))
		p.sub.number(functionFile, p.text(f.source))
		p.sub.number(functionStart, int64(f.start))
		p.out.bytes(profileFunction, p.sub)
	}
	return id
}

// mapping returns the mapping of a module, or 0 without a module.
func (p *pprofWriter) mapping(module string, lined bool) int64 {
	if module == "" {
		return 0
	}
	id, ok := p.mappings[module]
	if !ok {
		id = int64(len(p.mappings)) + 1
		p.mappings[module] = id
		p.sub = p.sub[:0]
		p.sub.number(mappingID, id)
		p.sub.number(mappingFile, p.text(module))
		p.sub.number(mappingFunctions, 1)
		if lined {
			p.sub.number(mappingFiles, 1)
			p.sub.number(mappingLines, 1)
		}
		p.out.bytes(profileMapping, p.sub)
	}
	return id
}

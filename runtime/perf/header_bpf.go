package perf

import (
	"cmp"
	"encoding/hex"
	"fmt"
)

// BPF is the part of Info about the BPF programs that ran.
type BPF struct {
	Programs []Program
	Types    []uint32 // ids of type information

	programs []programBytes
	types    []typeBytes
	byID     map[uint32]*bpfTypes // nil for types that cannot be read
}

// Program is a BPF program.
type Program struct {
	ID    uint32
	Parts []ProgramPart
}

// ProgramPart is the machine code of one function of a program.
type ProgramPart struct {
	Name    string // as in PERF_RECORD_KSYMBOL: bpf_prog_TAG_FUNCTION
	Address uint64
	Size    uint32
}

// programBytes are struct bpf_prog_info of include/uapi/linux/bpf.h and its arrays. A pointer is an
// offset in arrays.
type programBytes struct {
	info   []byte // may end before members that are newer than the writer
	arrays []byte
}

type typeBytes struct {
	id   uint32
	data []byte
}

const (
	programInfo  = 192 // bytes of struct bpf_prog_info up to the end of the last member that is read
	leastProgram = 16
	tagSize      = 8
	longestName  = 511 // KSYM_NAME_LEN without its NUL

	programCost, partCost = 64, 64 // maximum bytes of memory
)

func (c *cursor) program() (p programBytes) {
	info, arrays := int(c.u32()), int(c.u32())
	c.u64() // bit set of the existing arrays
	p.info = c.take(info)
	p.arrays = c.take(arrays)
	return p
}

func (c *cursor) bpfTypes() typeBytes {
	id := c.u32()
	return typeBytes{id, c.take(int(c.u32()))}
}

// nameBPF makes the programs of Info. Their names need both sections.
func (r *Recording) nameBPF(f *File) {
	b := &r.info.BPF
	b.Programs, b.Types, b.byID = nil, nil, map[uint32]*bpfTypes{}
	for _, t := range b.types {
		b.Types = append(b.Types, t.id)
		b.byID[t.id] = newBPFTypes(r.order, t.data)
	}
	for i := range b.programs {
		p, err := r.program(&b.programs[i])
		if err != nil {
			s := r.info.section(FeatureBPFPrograms)
			s.Damaged = true
			r.damage.Note(f.Path, s.Offset, s.Size, fmt.Errorf("section %v: program %d: %w", s.Feature, p.ID, err))
			break
		}
		b.Programs = append(b.Programs, p)
	}
	b.programs, b.types, b.byID = nil, nil, nil
}

// program reads the parts of a program.
func (r *Recording) program(p *programBytes) (Program, error) {
	const (
		id, name                       = 4, 64
		symbolCount, sizeCount         = 104, 108
		symbols, sizes                 = 112, 120
		typesID, funcSize, funcs       = 128, 132, 136
		funcCount, tagCount, tags, end = 144, 180, 184, name + 16
	)
	o, b := r.order, make([]byte, programInfo)
	copy(b, p.info)
	x := Program{ID: o.u32(b[id:])}
	if err := r.memory.Take(programCost); err != nil {
		return x, err
	}
	n := o.u32(b[symbolCount:])
	if n != o.u32(b[sizeCount:]) || n != o.u32(b[tagCount:]) {
		return x, nil // its parts are unknown
	}
	addresses, err := p.array(o.u64(b[symbols:]), n, 8)
	lengths, err2 := p.array(o.u64(b[sizes:]), n, 4)
	hashes, err3 := p.array(o.u64(b[tags:]), n, tagSize)
	if err := cmp.Or(err, err2, err3); err != nil {
		return x, err
	}
	types := r.info.BPF.byID[o.u32(b[typesID:])]
	size := o.u32(b[funcSize:])
	known, err := p.array(o.u64(b[funcs:]), o.u32(b[funcCount:]), size)
	if err != nil || size < 8 || uint64(len(known)) < uint64(size)*uint64(n) {
		types = nil
	}
	for i := range int(n) {
		function := "F"
		switch {
		case types != nil:
			function = types.name(o.u32(known[i*int(size)+4:]))
		case n == 1:
			function = string(terminated(b[name:end]))
		}
		part := ProgramPart{Name: programName(hashes[i*tagSize:][:tagSize], function),
			Address: o.u64(addresses[8*i:]), Size: o.u32(lengths[4*i:])}
		if err := r.memory.Take(int64(len(part.Name)) + partCost); err != nil {
			return x, err
		}
		x.Parts = append(x.Parts, part)
	}
	return x, nil
}

// array returns an array of the program.
func (p *programBytes) array(at uint64, n, size uint32) ([]byte, error) {
	bytes := uint64(n) * uint64(size)
	if bytes > uint64(len(p.arrays)) || at > uint64(len(p.arrays))-bytes {
		return nil, fmt.Errorf("%d bytes at %d of %d: %w", bytes, at, len(p.arrays), ErrCorrupt)
	}
	return p.arrays[at:][:bytes], nil
}

func programName(tag []byte, function string) string {
	name := "bpf_prog_" + hex.EncodeToString(tag)
	if function != "" {
		name += "_" + function
	}
	return name[:min(len(name), longestName)]
}

// bpfTypes are the names of the types of a program (Documentation/bpf/btf.rst).
type bpfTypes struct {
	names   []byte
	offsets []uint32 // of the name of a type, from type 1
}

// newBPFTypes reads the names of types up to the first damage. It returns nil if there are no
// names.
func newBPFTypes(o order, data []byte) *bpfTypes {
	const magic, least = 0xeb9f, 24
	if len(data) < least || o.u16(data) != magic {
		return nil
	}
	part := func(at int) []byte {
		from, size := uint64(o.u32(data[at:])), uint64(o.u32(data[at+4:]))
		from += uint64(o.u32(data[4:])) // size of the header
		end := uint64(len(data))
		return data[min(from, end):min(from+size, end)]
	}
	t := &bpfTypes{names: part(16)}
	c := &cursor{order: o, b: part(8)}
	for len(c.b) > 0 {
		offset, info := c.u32(), c.u32()
		c.u32()
		c.take(bytesBehindType(info>>24&31, int(info&0xffff)))
		if c.short {
			break
		}
		t.offsets = append(t.offsets, offset)
	}
	return t
}

// bytesBehindType returns the number of bytes after the 12 bytes of a type, for its kind and number
// of members.
func bytesBehindType(kind uint32, members int) int {
	switch kind {
	case 1, 14, 17: // INT, VAR, DECL_TAG
		return 4
	case 3: // ARRAY
		return 12
	case 4, 5, 15, 19: // STRUCT, UNION, DATASEC, ENUM64
		return 12 * members
	case 6, 13: // ENUM, FUNC_PROTO
		return 8 * members
	}
	return 0
}

// name returns the name of a type, or "" if it has no name.
func (t *bpfTypes) name(id uint32) string {
	if id == 0 || uint64(id) > uint64(len(t.offsets)) {
		return ""
	}
	at := t.offsets[id-1]
	if uint64(at) >= uint64(len(t.names)) {
		return ""
	}
	return string(terminated(t.names[at:min(uint64(at)+longestName, uint64(len(t.names)))]))
}

package perfetto

// callstacks interns the call stacks of a sequence of packets. Interned data is dropped after
// maxStacks stacks or maxStackBytes bytes.
type callstacks struct {
	begun    bool
	frames   map[frameKey]uint64
	mappings map[string]uint64 // by file
	stacks   map[string]uint64 // by addresses or frames, from the innermost
	bytes    int               // bytes of the keys of stacks
	fresh    []byte            // InternedData for the next packet
	key      []byte            // key of the next stack
	list     []uint64          // frames of the next stack, from the innermost
}

// frameKey identifies a frame. An address is not enough, since the memory of processes differs.
type frameKey struct {
	addr           uint64
	offset         uint64 // offset in the file, or the address if the file is unknown
	function, file string
}

const (
	maxStacks     = 1 << 16
	maxStackBytes = 16 << 20
)

// full reports whether interned data must be dropped before the next stack.
func (c *callstacks) full() bool {
	return !c.begun || len(c.stacks) >= maxStacks || c.bytes > maxStackBytes
}

// clear drops interned data. The next packet must have the flag sequenceCleared.
func (c *callstacks) clear() {
	c.begun, c.bytes = true, 0
	c.frames, c.mappings, c.stacks = map[frameKey]uint64{}, map[string]uint64{}, map[string]uint64{}
	c.fresh = appendInterned(c.fresh[:0], internedBuildIDs, noBuildID, "")
}

// noBuildID is the number of the empty build id, which all mappings have.
const noBuildID = 1

// intern appends the interned data for a packet with the last stack.
func (c *callstacks) intern(dst []byte) []byte {
	if len(c.fresh) > 0 {
		dst = appendBytes(dst, packetInternedData, c.fresh)
		c.fresh = c.fresh[:0]
	}
	return dst
}

// addStack interns the stack with key and list, and returns its number.
func (c *callstacks) addStack() uint64 {
	id := uint64(len(c.stacks) + 1)
	c.stacks[string(c.key)] = id
	c.bytes += len(c.key)
	var at int
	c.fresh, at = begin(c.fresh, internedCallstacks)
	c.fresh = appendUint(c.fresh, internedID, id)
	for i := len(c.list) - 1; i >= 0; i-- { // Perfetto's stacks begin with the outermost frame
		c.fresh = appendUint(c.fresh, callstackFrames, c.list[i])
	}
	c.fresh = end(c.fresh, at)
	return id
}

// addFrame interns a frame with the name of its function, and returns its number.
func (c *callstacks) addFrame(key frameKey, name string) uint64 {
	mapping := c.mapping(key.file)
	id := uint64(len(c.frames) + 1)
	c.frames[key] = id
	c.fresh = appendInterned(c.fresh, internedFunctionNames, id, name)
	var at int
	c.fresh, at = begin(c.fresh, internedFrames)
	c.fresh = appendUint(appendUint(c.fresh, internedID, id), frameFunction, id)
	c.fresh = end(appendUint(appendUint(c.fresh, frameMapping, mapping), frameAddress, key.offset), at)
	return id
}

// mapping returns the number of the mapping of a file, and interns it.
func (c *callstacks) mapping(file string) uint64 {
	id := c.mappings[file]
	if id != 0 {
		return id
	}
	id = uint64(len(c.mappings) + 1)
	c.mappings[file] = id
	c.fresh = appendInterned(c.fresh, internedPaths, id, file)
	var at int
	c.fresh, at = begin(c.fresh, internedMappings)
	c.fresh = appendUint(appendUint(c.fresh, internedID, id), mappingBuildID, noBuildID)
	c.fresh = end(appendUint(c.fresh, mappingPath, id), at)
	return id
}

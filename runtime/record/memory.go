package record

// The default memory limit of a recording in bytes, and the lowest limit that can be set. The limit
// covers the memory that a reader needs for the recording: buffers, unpacked data, descriptions and
// tables. Code and tables of the program itself are not counted.
const (
	DefaultMemory = 256 << 20
	MinMemory     = 16 << 20
)

package record

// The memory that a reader allows a recording, in bytes, when its options do not say, and the least
// that can be set. It is for what the recording makes its reader hold: buffers, unpacked data,
// descriptions and tables. Code and tables of the program itself come to it.
const (
	DefaultMemory = 256 << 20
	MinMemory     = 16 << 20
)

package aix

import "github.com/tracec/tracec/runtime/record"

// Option changes how a recording is opened and read.
type Option func(*config)

type config struct {
	cpuid     CPUIDPlace
	shortWord ShortWord
	maxBuffer int
	clock     *Clock
	unwrap    Unwrap
	kind      Kind
	cpuFiles  CPUFiles
	tempDir   string
	memory    int64
	described *hooks // nil if the existing hooks are unknown
	follow    *record.Follow
}

func newConfig(opts []Option) *config {
	c := &config{maxBuffer: MaxBuffer}
	for _, o := range opts {
		o(c)
	}
	return c
}

// WithHooks names the hooks that are described, for example by a file of templates. In damaged
// traces they are evidence: an entry of a described hook is more likely than an entry of an unknown
// one.
func WithHooks(ids []uint16) Option {
	described := &hooks{}
	for _, id := range ids {
		described.add(id)
	}
	return func(c *config) { c.described = described }
}

// CPUIDPlace is the place of an entry's processor number of 8 bytes, if trace -p recorded it. The
// place is not published. The header only implies that a full entry has one more word.
type CPUIDPlace uint8

// The places.
const (
	CPUIDAfterStamp     CPUIDPlace = iota // between time stamp and registers: the default
	CPUIDAfterRegisters                   // the last word of the entry
	CPUIDBeforeTID                        // between data and thread id
	CPUIDAfterTID                         // between thread id and time stamp
	CPUIDNone                             // the flag has no meaning in the stream
)

// WithCPUID sets the place of the processor number in an entry. If a wrong place changes an entry's
// length, no hook word follows, which is reported as ErrCPUID.
func WithCPUID(place CPUIDPlace) Option { return func(c *config) { c.cpuid = place } }

// ShortWord selects the half of an 8-byte word that holds the 4-byte data word of a 32-bit
// program's generic hook on a 64-bit kernel. The half is not published.
type ShortWord uint8

// The halves.
const (
	ShortWordLow  ShortWord = iota // the last 4 bytes, as a number that was widened: the default
	ShortWordHigh                  // the first 4 bytes, as the data words of other hooks are packed
)

// WithShortWord sets the half of a data word that a 32-bit program's generic hook has.
func WithShortWord(half ShortWord) Option { return func(c *config) { c.shortWord = half } }

// MaxBuffer is the largest buffer of a generic hook, in bytes (trcgen kernel service).
const MaxBuffer = 4096

// WithMaxBuffer raises the length that a generic hook's buffer may have. A hook word with a longer
// one counts as damage. A 64-bit hook in a 32-bit trace may have 12 bytes more. Lengths above 65535
// cannot be recorded.
func WithMaxBuffer(bytes int) Option {
	return func(c *config) { c.maxBuffer = max(0, min(bytes, 1<<16-1)) }
}

// WithClock sets the scale of time stamps, instead of the one in the recording.
func WithClock(clock Clock) Option { return func(c *config) { c.clock = &clock } }

// Unwrap is the rule by which wraps are added to 32-bit stamps.
type Unwrap uint8

// The rules.
const (
	// UnwrapSteady adds a period whenever a stamp is smaller than the previous one. It removes the
	// period again if the next stamp shows that a single stamp was damaged: two neighbours less
	// than 1/16 of a period apart with a distant one between them. This cannot occur in intact
	// recordings, because the kernel records a timer sync (00A, subhook 0) at 85 % of each period.
	// This is the default.
	UnwrapSteady Unwrap = iota
	// UnwrapAlways adds a period whenever a stamp is smaller than the previous one.
	UnwrapAlways
	// UnwrapNever leaves stamps unchanged.
	UnwrapNever
)

// WithUnwrap sets the rule for 32-bit stamps. It does not affect stamps of 64 bits.
func WithUnwrap(rule Unwrap) Option { return func(c *config) { c.unwrap = rule } }

// WithKind sets the kind of the file, for files whose head is damaged beyond recognition.
func WithKind(kind Kind) Option { return func(c *config) { c.kind = kind } }

// CPUFiles selects whether the files of single processors in the directory of a log file belong to
// it. Their names are its name, a minus sign and the number of the processor, as trace -C makes
// them.
type CPUFiles uint8

// The values of CPUFiles.
const (
	CPUFilesAsRecorded CPUFiles = iota // if the mode in the header is set: the default
	CPUFilesAlways
	CPUFilesNever
)

// WithCPUFiles sets whether Open looks for the files of single processors.
func WithCPUFiles(when CPUFiles) Option { return func(c *config) { c.cpuFiles = when } }

// WithTempDir sets the directory in which OpenReader stores log files. The default is os.TempDir.
func WithTempDir(dir string) Option { return func(c *config) { c.tempDir = dir } }

// WithFollow reads a stream that is still being written: see [record.Follow]. It applies to Open
// and OpenFS. OpenReader always reads a pipe as data arrive. A log file cannot be followed: its
// buffers are overwritten, and its head is written at the end. The scale of the clock must be among
// the first entries, where the trace command writes it.
func WithFollow(f record.Follow) Option { return func(c *config) { c.follow = &f } }

// WithMemory limits the memory of the recording, in bytes. The default is record.DefaultMemory.
// Data that need more are damage with ErrLimit.
func WithMemory(bytes int64) Option { return func(c *config) { c.memory = bytes } }

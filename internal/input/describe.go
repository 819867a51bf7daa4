package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// ErrUnknown reports that an input is not a recording.
var ErrUnknown = errors.New("not a recording")

// ErrChoose reports that a directory or an archive contains several recordings.
var ErrChoose = errors.New("name one")

// Unknown returns the error for an input of an unknown kind, with a guess. Its second line refers
// to the documentation of recordings.
func (in *Input) Unknown() error {
	name := in.Name
	if in.Path == "-" {
		name = "standard input"
	}
	switch {
	case in.several != "":
		return fmt.Errorf("%s: %s; %s%w", name, in.several, in.hint, ErrChoose)
	case in.what == empty || in.what == emptyDir:
		return &unknown{name + ": " + in.what}
	case in.what == "":
		return &unknown{name + ": not a recording\n  tracec help recordings lists what is read"}
	case in.below:
		return &unknown{name + ": " + in.what}
	}
	return &unknown{fmt.Sprintf("%s: not a recording: %s\n  tracec help recordings lists what is read", name, in.what)}
}

// unknown is an error that wraps ErrUnknown.
type unknown struct{ text string }

func (u *unknown) Error() string        { return u.text }
func (u *unknown) Is(target error) bool { return target == ErrUnknown }

// What describes an input that is not a recording. It is empty if nothing is known.
func (in *Input) What() string { return in.what }

// IsText reports whether an input is text of an unknown form.
func (in *Input) IsText() bool { return in.what == text }

// Named reports whether an input is known to be something else than a recording, other than some
// text or directory.
func (in *Input) Named() bool { return in.named }

// A form is a kind of file other than a recording, or a recording that tracec cannot read.
type form struct {
	name string // its name, with advice
	is   func(head []byte) bool
}

func begins(magic ...string) func([]byte) bool {
	return func(head []byte) bool {
		for _, m := range magic {
			if bytes.HasPrefix(head, []byte(m)) {
				return true
			}
		}
		return false
	}
}

func matches(pattern string) func([]byte) bool {
	expression := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	return func(head []byte) bool { return expression().Match(head) }
}

// forms are kinds of files that are often found near recordings. The first match wins, so texts
// come last.
var forms = []form{
	{empty, func(head []byte) bool { return len(head) == 0 }},
	{"a recording of perf (perf.data), which perf script prints",
		begins("PERFILE2", "2ELIFREP", "PERFFILE", "ELIFFREP")},
	{"metadata of a CTF trace; name its folder",
		func(head []byte) bool { return isWord(head, 0x75D11D57) || bytes.HasPrefix(head, []byte("/* CTF 1.8")) }},
	{"a stream of a CTF trace; name its folder, which also has the file metadata",
		func(head []byte) bool { return isWord(head, 0xC1FC1FC1) }},
	{"a file of one thread of uftrace; give its directory", isThread},
	{"an ELF program", begins("\x7fELF")},
	{"a Windows program", begins("MZ")},
	{"a trace of Go, which go tool trace reads", matches(`^go 1\.\d+ trace\x00`)},
	{"a trace of .NET (nettrace, etlx), which PerfView reads",
		begins("Nettrace", "\x14\x00\x00\x00!FastSerialization.1")},
	{"a trace of Windows (ETW), which PerfView reads", isETL},
	{"a recording of network packets (pcap)", begins("\xa1\xb2\xc3\xd4", "\xd4\xc3\xb2\xa1", "\xa1\xb2\x3c\x4d",
		"\x4d\x3c\xb2\xa1", "\x0a\x0d\x0d\x0a")},
	{"a file of lz4; unpack it with lz4 -d", begins("\x04\x22\x4d\x18")},
	{"a file of lzip; unpack it with lzip -d", begins("LZIP")},
	{"a zip archive; unpack it with unzip", begins("PK\x03\x04", "PK\x05\x06")},
	{"a 7z archive; unpack it with 7z x", begins("7z\xbc\xaf\x27\x1c")},
	{"a database of SQLite", begins("SQLite format 3\x00")},
	{"a Perfetto trace, written for other tools; read the recording that it came from", isPerfetto},
	{"JSON for Chrome or Perfetto", matches(`^\s*[\[{][^\x00]*"(traceEvents|ph)"\s*:`)},
	{"JSON", matches(`^\s*(\{\s*("|\})|\[\s*([\[{"\]]|-?\d))`)},
	{"XML", matches(`^\s*<(\?xml|!DOCTYPE|html)`)},
	{"the text of trace-cmd report, not the trace.dat",
		matches(`^(version = \d\n)?(CPU \d+ is empty\n|trace-cmd: [^\n]*\n)*cpus=\d+\n`)},
	{"the text of a kernel's trace file; copy events/ and per_cpu/*/trace_pipe_raw of tracefs, or record with trace-cmd", matches(`^# tracer: `)},
	{"the text of ftrace; record with trace-cmd", matches(`(?m)\A\s*\S.*-\d+ +(\(.{7}\) )?\[\d{3,}\] .*\d+\.\d{6,9}: `)},
	{"the text of uftrace, not the directory", matches(`(?m)\A(# DURATION|#? *Total time  +Self time|# system information|# Function Call Graph|reading \d+\.dat|uftrace file header)`)},
	{"the text of trcrpt, not the trace", matches(`(?m)^(ID +(PROCESS NAME|CPU|ELAPSED_SEC|I SYSTEM CALL)|/usr/bin/trace |.*ELAPSED_SEC +DELTA_MSEC)`)},
	{"the text of LTTV, not the directory", matches(`\A[a-z_/]+\.[a-z_]+: \d+\.\d{9} \(`)},
	{text, isText},
}

// isWord reports whether a file begins with a number, in either byte order.
func isWord(head []byte, magic uint32) bool {
	return len(head) >= 4 && (binary.LittleEndian.Uint32(head) == magic || binary.BigEndian.Uint32(head) == magic)
}

// isETL recognizes the head of the first buffer of a .etl file: WMI_BUFFER_HEADER with the buffer's
// size, which repeats the used size. A TRACE_LOGFILE_HEADER follows at 0x48 bytes. Its event header
// has the marker 0xC0.
func isETL(head []byte) bool {
	if len(head) < 0x50 {
		return false
	}
	size := binary.LittleEndian.Uint32(head)
	return size >= 1024 && size <= 16<<20 && size%512 == 0 && binary.LittleEndian.Uint32(head[4:]) <= size &&
		head[0x48+3] == 0xC0 && head[0x48+2] <= 0x14
}

// isThread recognizes the records of uftrace: a rising time, and a word with the mark 5 in bits 3
// to 5, in either byte order (include/uftrace.h, struct uftrace_record). If bit 2 is set, values of
// any length follow.
func isThread(head []byte) bool {
	return slices.ContainsFunc([]binary.ByteOrder{binary.LittleEndian, binary.BigEndian},
		func(order binary.ByteOrder) bool {
			last := uint64(0)
			for n := range leastCalls {
				at := 16 * n
				if len(head) < at+16 {
					return false
				}
				time, word := order.Uint64(head[at:]), order.Uint64(head[at+8:])
				if word>>3&7 != 5 || word>>2&1 != 0 || time <= last {
					return false
				}
				last = time
			}
			return true
		})
}

// leastCalls is the number of records that identify a file of uftrace. Other bytes match by chance
// with a probability of one in 8 to the power of leastCalls.
const leastCalls = 8

// isPerfetto recognizes a Perfetto trace by its packets. Each is a field 1 with its length
// (protos/perfetto/trace/trace.proto).
func isPerfetto(head []byte) bool {
	const least = 3
	for range least {
		if len(head) < 2 || head[0] != 0x0a {
			return false
		}
		size, n := binary.Uvarint(head[1:])
		if n <= 0 || size == 0 || size > uint64(len(head)-1-n) {
			return false
		}
		head = head[1+n+int(size):]
	}
	return true
}

// isText reports whether head is text: UTF-8 without control characters other than those common in
// text. The last character may be incomplete.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && n == 1 && len(head) >= utf8.UTFMax ||
			r < ' ' && !strings.ContainsRune("\t\n\r\f\b\x1b", r) {
			return false
		}
		head = head[n:]
	}
	return true
}

// describe describes a file that begins with head, or returns "". sure reports whether the file is
// certainly not a recording.
func describe(head []byte) (what string, sure bool) {
	for _, f := range forms {
		if f.is(head) {
			return f.name, f.name != text && f.name != empty
		}
	}
	return "", false
}

const (
	text     = "plain text"
	empty    = "empty"
	emptyDir = "an empty directory"
)

// contents describes a directory by its contents. sure reports whether it is certainly not a
// recording.
func contents(dir fs.FS) (what string, sure bool) {
	p := &Probe{Dir: dir}
	switch {
	case p.Has("data"):
		if begins("PERFILE2", "2ELIFREP")(headOf(dir, "data")) {
			return "a recording of perf, which perf script prints", true
		}
	case p.Has("trace_pipe_raw") || p.Has("cpu0/trace_pipe_raw"):
		return "ring buffers of CPUs without their descriptions, which are in events/ of tracefs", true
	}
	list, err := fs.ReadDir(dir, ".")
	switch {
	case err != nil:
		return fmt.Sprintf("a directory that cannot be read: %v", err), true
	case len(list) == 0:
		return emptyDir, false
	}
	const enough = 5
	var names []string
	perCPU := 0
	for _, e := range list {
		if cpuFile().MatchString(e.Name()) {
			perCPU++
		}
		if len(names) < enough {
			names = append(names, e.Name())
		}
	}
	if perCPU > 0 && perCPU == len(list) {
		return "a directory of files of single CPUs that trace-cmd left; trace-cmd restore makes a trace.dat of them",
			true
	}
	if len(list) > enough {
		names = append(names, "…")
	}
	return "a directory of " + strings.Join(names, ", "), false
}

// ofKernel describes the files of a kernel's file system.
func ofKernel(system string) string {
	return "of the kernel (" + system + "), which is not read to guess its kind; tracec live records it"
}

// cpuFile matches the files that trace-cmd record writes before it makes a trace.dat from them.
var cpuFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.cpu\d+$`) })

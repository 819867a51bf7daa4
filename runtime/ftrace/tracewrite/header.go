package tracewrite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// ErrHeader matches errors of a Header with contents that the version does not support.
var ErrHeader = errors.New("cannot be written to a trace.dat")

// ErrOrder is the error of calls in the wrong order.
var ErrOrder = errors.New("call out of order")

// A Header holds the contents of a file before its data.
type Header struct {
	Version            int    // 6 or 7
	Compression        string // in version 7: "" and "none", "zstd", "zlib"
	CompressionVersion string // of the compressing library; "" stands for a version that every reader accepts
	ByteOrder          ByteOrder
	LongSize           int // of the recorder's long, in bytes: 4 or 8
	PageSize           int // of a sub-buffer of the top buffer, in bytes
	CPUs               int // of the machine

	// The blocks of metadata, the same in both versions: see EncodeHeaders and the other Encode
	// functions.
	HeaderInfo, FtraceEvents, EventFormats, Kallsyms, Printk, Cmdlines []byte
	// BTF and Modules are for version 7 only. They may be nil.
	BTF, Modules []byte

	Buffers []Buffer // the top buffer first
}

// ByteOrder is binary.LittleEndian or binary.BigEndian.
type ByteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// Buffer is a ring buffer.
type Buffer struct {
	Name     string // "" for the top buffer
	Clock    string // such as "local"; "" if not known
	PageSize int    // of a sub-buffer, in bytes; if 0, the Header's
	Text     bool   // it holds the text of a latency tracer instead of data
}

// maxCPUs exceeds any kernel's NR_CPUS.
const maxCPUs = 1 << 16

// check finds contents that the version does not support.
func (h *Header) check() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrHeader, fmt.Sprintf(format, args...))
	}
	switch {
	case h.Version != 6 && h.Version != 7:
		return fail("version %d is neither 6 nor 7", h.Version)
	case h.Version == 6 && h.compressed():
		return fail("version 6 has no compression")
	case h.Version == 6 && (h.BTF != nil || h.Modules != nil):
		return fail("version 6 has neither type information nor modules")
	case h.ByteOrder == nil:
		return fail("no byte order")
	case h.LongSize != 4 && h.LongSize != 8:
		return fail("a long of %d bytes", h.LongSize)
	case h.CPUs < 0 || h.CPUs > maxCPUs:
		return fail("%d CPUs", h.CPUs)
	case len(h.Buffers) == 0 || h.Buffers[0].Name != "":
		return fail("no top buffer")
	case slices.ContainsFunc(h.Buffers[1:], func(b Buffer) bool { return b.Name == "" }):
		return fail("a second buffer without a name")
	}
	for i := range h.Buffers {
		switch size := h.pageSize(i); {
		case size < 64 || size > 1<<20:
			return fail("buffer %q: sub-buffers of %d bytes", h.Buffers[i].Name, size)
		case h.Version == 6 && size != h.PageSize:
			return fail("buffer %q: sub-buffers of %d bytes, and version 6 has one size for all, %d bytes",
				h.Buffers[i].Name, size, h.PageSize)
		}
	}
	return nil
}

func (h *Header) compressed() bool { return h.Compression != "" && h.Compression != "none" }

func (h *Header) pageSize(buffer int) int {
	if n := h.Buffers[buffer].PageSize; n != 0 {
		return n
	}
	return h.PageSize
}

// A System is a system of events and the texts of their format files.
type System struct {
	Name    string
	Formats []string
}

// EncodeHeaders makes the block HeaderInfo from the texts of events/header_page and
// events/header_event.
func EncodeHeaders(o ByteOrder, page, event string) []byte {
	b := o.AppendUint64([]byte("header_page\x00"), uint64(len(page)))
	b = append(b, page...)
	b = append(b, "header_event\x00"...)
	b = o.AppendUint64(b, uint64(len(event)))
	return append(b, event...)
}

// EncodeFormats makes the block FtraceEvents from the format files of system ftrace.
func EncodeFormats(o ByteOrder, formats []string) []byte { return appendFormats(nil, o, formats) }

func appendFormats(b []byte, o ByteOrder, formats []string) []byte {
	b = o.AppendUint32(b, uint32(len(formats)))
	for _, f := range formats {
		b = append(o.AppendUint64(b, uint64(len(f))), f...)
	}
	return b
}

// EncodeSystems makes the block EventFormats from the other systems.
func EncodeSystems(o ByteOrder, systems []System) []byte {
	b := o.AppendUint32(nil, uint32(len(systems)))
	for _, s := range systems {
		b = appendFormats(append(append(b, s.Name...), 0), o, s.Formats)
	}
	return b
}

// EncodeText makes the block Kallsyms from /proc/kallsyms, or the block Printk from printk_formats.
func EncodeText(o ByteOrder, text string) []byte {
	return append(o.AppendUint32(nil, uint32(len(text))), text...)
}

// EncodeCmdlines makes the block Cmdlines from saved_cmdlines, which has lines of a pid and a name.
func EncodeCmdlines(o ByteOrder, text string) []byte {
	return append(o.AppendUint64(nil, uint64(len(text))), text...)
}

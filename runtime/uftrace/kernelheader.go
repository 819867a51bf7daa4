package uftrace

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/ftrace"
)

// kernelHeader is the file kernel_header: the layout of the kernel's ring buffer, and its formats
// (uftrace.md 1.10).
type kernelHeader struct {
	pageSize, long int
	bigEndian      bool
	headerPage     string
	formats        []*ftrace.Format
	enter, leave   *graphFormat // nil without function tracing
	pids           map[uint32][]*ftrace.Field
}

// graphFormat is the place of the function and the depth in a record of the function graph tracer.
// Their order differs between kernels.
type graphFormat struct {
	id                         uint32
	funcAt, funcSize           int
	depthAt, depthSize, length int
}

// The folder of the formats in the file.
const (
	kernelEvents = "events/"
	headerPage   = "events/header_page"
)

// KernelFormats returns the descriptions of the kernel's events, as in tracefs. It returns nil for
// a recording without kernel data.
func (r *Recording) KernelFormats() []*ftrace.Format { return r.meta.kernelHead.formats }

// KernelLayout returns the byte order of the kernel and the size of its long in bytes. They apply
// to the data of its events.
func (r *Recording) KernelLayout() (bigEndian bool, long int) {
	return r.meta.kernelHead.bigEndian, r.meta.kernelHead.long
}

// readKernelHeader reads kernel_header. Unreadable parts are reported and skipped.
func (r *Recording) readKernelHeader() {
	text, ok := r.readFile("kernel_header")
	if !ok {
		return
	}
	text = r.take("kernel_header", text, fieldBytes)
	h := &r.meta.kernelHead
	h.pageSize, h.long, h.bigEndian = 4096, 8, r.info.BigEndian
	total := len(text)
	for len(text) > 0 {
		off := int64(total - len(text))
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		key, value, _ := strings.Cut(strings.TrimSpace(string(line)), ":")
		value = strings.TrimSpace(value)
		var err error
		switch key {
		case "PAGE_SIZE":
			h.pageSize, err = strconv.Atoi(value)
		case "LONG_SIZE":
			h.long, err = strconv.Atoi(value)
		case "ENDIAN":
			h.bigEndian = value == "BE"
		case "TRACEFS":
			text, err = h.block(value, text)
		case "":
		default:
			err = fmt.Errorf("%w: unknown key %.20q", ErrCorrupt, key)
		}
		if err != nil {
			r.damage.Note("kernel_header", off, 0, err)
		}
	}
	if h.long != 4 && h.long != 8 {
		r.damage.Note("kernel_header", 0, 0, fmt.Errorf("%w: LONG_SIZE %d", ErrCorrupt, h.long))
		h.long = 8
	}
	for _, f := range h.formats {
		r.bindKernelFormat(f)
	}
}

// block reads one file of tracefs: PATH: LENGTH, and LENGTH bytes after the line.
func (h *kernelHeader) block(value string, text []byte) (rest []byte, err error) {
	i := strings.LastIndexByte(value, ':')
	if i < 0 {
		return text, fmt.Errorf("%w: TRACEFS without a length", ErrCorrupt)
	}
	path := strings.TrimSpace(value[:i])
	n, err := strconv.Atoi(strings.TrimSpace(value[i+1:]))
	switch {
	case err != nil || n < 0:
		return text, fmt.Errorf("%w: the length of %s", ErrCorrupt, path)
	case n > len(text):
		n, err = len(text), fmt.Errorf("%w within %s", ErrTruncated, path)
	}
	content := string(text[:n])
	if path == headerPage {
		h.headerPage = content
		return text[n:], err
	}
	dir, isFormat := strings.CutSuffix(path, "/format")
	system, _, isEvent := strings.Cut(strings.TrimPrefix(dir, kernelEvents), "/")
	if isFormat && isEvent {
		if f, ok := ftrace.ParseFormat(system, content); ok {
			h.formats = append(h.formats, f)
		} else if err == nil {
			err = fmt.Errorf("%w: %s has no name or ID", ErrCorrupt, path)
		}
	}
	return text[n:], err
}

// bindKernelFormat notes the kind of the records of a format: calls, returns, or events.
func (r *Recording) bindKernelFormat(f *ftrace.Format) {
	h := &r.meta.kernelHead
	id := uint32(f.ID)
	if f.System == "ftrace" && (f.Name == "funcgraph_entry" || f.Name == "funcgraph_exit") {
		g := newGraphFormat(f)
		switch {
		case g == nil:
			r.damage.Note("kernel_header", 0, 0, fmt.Errorf("%w: %s without the fields func and depth", ErrCorrupt,
				f.Name))
		case f.Name == "funcgraph_entry":
			h.enter = g
		default:
			h.leave = g
		}
		return
	}
	if f.ID > maxKernelTracepoint {
		return // the number belongs to another kind of event
	}
	r.meta.tracepoints[id] = f.System + ":" + f.Name
	// The thread of an event that another task caused: the one that is woken or switched to.
	for _, name := range []string{"next_pid", "pid"} {
		if p := f.Field(name); p != nil && p.Size == 4 {
			if h.pids == nil {
				h.pids = map[uint32][]*ftrace.Field{}
			}
			h.pids[id] = append(h.pids[id], p)
		}
	}
}

func newGraphFormat(f *ftrace.Format) *graphFormat {
	fn, depth := f.Field("func"), f.Field("depth")
	if fn == nil || depth == nil || fn.Size != 4 && fn.Size != 8 || depth.Size > 8 || depth.Size < 1 ||
		depth.Size&(depth.Size-1) != 0 {
		return nil
	}
	return &graphFormat{
		id: uint32(f.ID), funcAt: fn.Offset, funcSize: fn.Size, depthAt: depth.Offset, depthSize: depth.Size,
		length: max(fn.Offset+fn.Size, depth.Offset+depth.Size),
	}
}

package aix

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// LogOptions describe the log file to write.
type LogOptions struct {
	WriterOptions
	Mode       Mode
	Buffers    int  // number of entries in the directory; 0 for as many as needed, without wrapping
	BufferSize int  // bytes of a trace buffer; 0 for 128 KiB
	Old        bool // with the magic number of AIX before 4.1; 32-bit kernels only
}

// LogWriter writes a log file. Entries traced before Begin are the initial conditions. Entries are
// collected in buffers. No entry extends over two buffers. When the last buffer of the directory is
// full, the first is overwritten, unless the mode ends the trace there. All data are held in memory
// until Close.
type LogWriter struct {
	Writer

	opts    LogOptions
	out     io.Writer
	initial []byte
	buffers [][]byte
	current int
	wraps   uint32
	begun   bool
	stopped bool
}

// NewLogWriter begins a log file.
func NewLogWriter(w io.Writer, opts LogOptions) *LogWriter {
	if opts.BufferSize <= 0 {
		opts.BufferSize = 128 << 10
	}
	l := &LogWriter{opts: opts, out: w, current: -1}
	l.Writer = Writer{opts: opts.WriterOptions, out: (*logBuffers)(l), each: true, CPU: -1, App64: opts.Kernel64}
	return l
}

// Begin ends the initial conditions.
func (l *LogWriter) Begin() { l.begun = true }

// logBuffers takes entries one by one.
type logBuffers LogWriter

func (l *logBuffers) Write(entry []byte) (int, error) {
	switch {
	case !l.begun:
		l.initial = append(l.initial, entry...)
	case l.stopped:
	case l.current >= 0 && len(l.buffers[l.current])+len(entry) <= l.opts.BufferSize:
		l.buffers[l.current] = append(l.buffers[l.current], entry...)
	case len(entry) > l.opts.BufferSize:
		return 0, fmt.Errorf("aix: an entry of %d bytes in buffers of %d", len(entry), l.opts.BufferSize)
	default:
		l.turn()
		if !l.stopped {
			l.buffers[l.current] = append(l.buffers[l.current], entry...)
		}
	}
	return len(entry), nil
}

// turn moves to the next buffer.
func (l *logBuffers) turn() {
	next := l.current + 1
	if l.opts.Buffers > 0 && next == l.opts.Buffers {
		if l.opts.Mode&(ModeNoWrap|ModeStopOnWrap) != 0 {
			l.stopped = true
			return
		}
		l.wraps++
		next = 0
	}
	if next == len(l.buffers) {
		l.buffers = append(l.buffers, nil)
	}
	l.current = next
	l.buffers[next] = l.buffers[next][:0]
}

// Close writes the file: head, directory, initial conditions, buffers. It does not close the
// underlying writer.
func (l *LogWriter) Close() error {
	err := l.Writer.Flush()
	_, werr := l.out.Write(l.bytes())
	return errors.Join(err, werr)
}

func (l *LogWriter) bytes() []byte {
	magic, size, entry := uint32(MagicLog32), logHead32, logEntry32
	switch {
	case l.opts.Kernel64:
		magic, size, entry = MagicLog64, logHead64, logEntry64
	case l.opts.Old:
		magic = MagicLogOld
	}
	count := max(len(l.buffers), l.opts.Buffers)
	at := size + count*entry
	b := binary.BigEndian.AppendUint32(nil, magic)
	b = binary.BigEndian.AppendUint32(b, uint32(count))
	b = binary.BigEndian.AppendUint32(b, uint32(max(l.current, 0)))
	b = binary.BigEndian.AppendUint32(b, uint32(l.opts.Mode))
	b = binary.BigEndian.AppendUint32(b, l.wraps)
	b = pad(b, size-entry) // descriptor and pointer of the open file
	parts := append([][]byte{l.initial}, l.buffers...)
	for i := range count + 1 {
		n := 0
		if i < len(parts) {
			n = len(parts[i])
		}
		if l.opts.Kernel64 {
			b = binary.BigEndian.AppendUint64(b, uint64(at))
			b = binary.BigEndian.AppendUint64(b, uint64(n))
		} else {
			b = binary.BigEndian.AppendUint32(b, uint32(at))
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		at += n
	}
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// Set writes the files of trace -C: a base file, and one file per processor. Their names are the
// base name, a minus sign and the processor's number. Initial conditions belong into the base file.
type Set struct {
	Base *LogWriter
	CPUs []*LogWriter

	files []*os.File
}

// CreateSet creates the files of a set for processors 0 to cpus-1.
func CreateSet(path string, cpus int, opts LogOptions) (*Set, error) {
	s := &Set{}
	for i := -1; i < cpus; i++ {
		name, o := path, opts
		o.Mode |= ModeMultiCPU
		if i >= 0 {
			name = path + "-" + strconv.Itoa(i)
			o.Mode = opts.Mode | ModePerCPU
		}
		f, err := os.Create(name)
		if err != nil {
			return nil, errors.Join(err, s.closeFiles())
		}
		s.files = append(s.files, f)
		l := NewLogWriter(f, o)
		if i < 0 {
			s.Base = l
		} else {
			l.Begin()
			s.CPUs = append(s.CPUs, l)
		}
	}
	return s, nil
}

// Close writes and closes all files.
func (s *Set) Close() error {
	errs := []error{s.Base.Close()}
	for _, l := range s.CPUs {
		errs = append(errs, l.Close())
	}
	return errors.Join(append(errs, s.closeFiles())...)
}

func (s *Set) closeFiles() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	s.files = nil
	return errors.Join(errs...)
}

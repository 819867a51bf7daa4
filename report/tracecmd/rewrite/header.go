// Package rewrite writes recordings in another format or in parts: trace-cmd convert and trace-cmd
// split.
package rewrite

import (
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracewrite"
	"github.com/tracec/tracec/runtime/record"
)

// source is the recording to write.
type source struct {
	rec     *ftrace.Recording
	info    *ftrace.Info
	job     *report.Job
	damaged bool
}

func newSource(rec *ftrace.Recording, job *report.Job) *source {
	return &source{rec: rec, info: rec.Info(), job: job}
}

func (s *source) damage(err error) {
	s.damaged = true
	s.job.Warn(err)
}

// finish reports unreadable data. The error is report.ErrDamaged if there was any.
func (s *source) finish() error {
	s.job.EachDamage(s.rec, s.damage)
	if s.damaged {
		return report.ErrDamaged
	}
	return nil
}

// format is the target format of a file.
type format struct {
	version     int
	compression string
}

// format returns the format of the recording itself. A copy of tracefs has version 7.
func (s *source) format() format {
	f := format{s.info.Version, s.info.Compression}
	if f.version == 0 {
		f.version = 7
	}
	return f
}

// header returns the metadata of a file with these buffers. It reports and skips unreadable parts.
func (s *source) header(f format, buffers []*ftrace.Buffer) (tracewrite.Header, error) {
	h := tracewrite.Header{
		Version: f.version, Compression: f.compression, LongSize: s.info.RecorderWord, PageSize: s.info.PageSize,
		CPUs: s.info.CPUs,
	}
	if f.compression == s.info.Compression {
		h.CompressionVersion = s.info.CompressionVersion
	}
	if h.LongSize == 0 {
		h.LongSize = s.info.WordSize
	}
	var ok bool
	if h.ByteOrder, ok = s.info.ByteOrder.(tracewrite.ByteOrder); !ok {
		return h, fmt.Errorf("%s: byte order %v", s.job.Path, s.info.ByteOrder)
	}
	if len(buffers) > 0 {
		h.PageSize = buffers[0].PageSize
	}
	for _, b := range buffers {
		for i := range b.CPUs {
			h.CPUs = max(h.CPUs, b.CPUs[i].ID+1)
		}
		h.Buffers = append(h.Buffers, tracewrite.Buffer{Name: b.Name, Clock: b.Clock, PageSize: b.PageSize,
			Text: b.Text() != nil})
	}
	if len(h.Buffers) == 0 || h.Buffers[0].Name != "" { // the recorder wrote no top buffer
		return h, fmt.Errorf("%s: no top buffer", s.job.Path)
	}
	if s.info.Version == 0 {
		s.encode(&h)
	} else {
		s.blocks(&h)
	}
	return h, nil
}

// blocks copies the metadata unchanged: they are the same in both versions.
func (s *source) blocks(h *tracewrite.Header) {
	sections, err := s.rec.Sections()
	if err != nil {
		s.damage(err)
	}
	at := map[uint16]*[]byte{
		ftrace.OptionHeaderInfo: &h.HeaderInfo, ftrace.OptionFtraceEvents: &h.FtraceEvents,
		ftrace.OptionEventFormats: &h.EventFormats,
		ftrace.OptionKallsyms:     &h.Kallsyms, ftrace.OptionPrintk: &h.Printk, ftrace.OptionCmdlines: &h.Cmdlines,
		ftrace.OptionBTF: &h.BTF, ftrace.OptionModules: &h.Modules,
	}
	for i := range sections {
		p := at[sections[i].ID]
		if p == nil || *p != nil {
			continue
		}
		if h.Version == 6 && (p == &h.BTF || p == &h.Modules) {
			s.job.Warn(fmt.Errorf("%s: version 6 cannot hold section %d (%s), which is left out", s.job.Path,
				sections[i].ID, sections[i].Name))
			continue
		}
		if *p, err = s.rec.SectionData(&sections[i]); err != nil {
			s.damage(err)
		}
	}
	s.complete(h)
}

// complete replaces unreadable blocks by empty ones, since readers need all blocks.
func (s *source) complete(h *tracewrite.Header) {
	o := h.ByteOrder
	for _, b := range []struct {
		at    *[]byte
		empty []byte
	}{
		{&h.HeaderInfo, tracewrite.EncodeHeaders(o, s.info.HeaderPage, s.info.HeaderEvent)},
		{&h.FtraceEvents, tracewrite.EncodeFormats(o, nil)}, {&h.EventFormats, tracewrite.EncodeSystems(o, nil)},
		{&h.Kallsyms, tracewrite.EncodeText(o, "")}, {&h.Printk, tracewrite.EncodeText(o, "")},
		{&h.Cmdlines, tracewrite.EncodeCmdlines(o, "")},
	} {
		if *b.at == nil {
			*b.at = b.empty
		}
	}
}

// encode makes the metadata of a copy of tracefs.
func (s *source) encode(h *tracewrite.Header) {
	o := h.ByteOrder
	h.HeaderInfo = tracewrite.EncodeHeaders(o, s.info.HeaderPage, s.info.HeaderEvent)
	var own []string
	var systems []tracewrite.System
	at := map[string]int{}
	for _, f := range s.rec.Formats() {
		if f.System == "ftrace" {
			own = append(own, f.Text)
			continue
		}
		i, seen := at[f.System]
		if !seen {
			i = len(systems)
			at[f.System] = i
			systems = append(systems, tracewrite.System{Name: f.System})
		}
		systems[i].Formats = append(systems[i].Formats, f.Text)
	}
	h.FtraceEvents = tracewrite.EncodeFormats(o, own)
	h.EventFormats = tracewrite.EncodeSystems(o, systems)
	h.Kallsyms = tracewrite.EncodeText(o, s.rec.Kallsyms())
	h.Printk = tracewrite.EncodeText(o, s.rec.PrintkFormats())
	h.Cmdlines = tracewrite.EncodeCmdlines(o, s.rec.Cmdlines())
	if s.info.Modules != "" && h.Version == 7 {
		h.Modules = []byte(s.info.Modules)
	}
}

// options copies the options of the recording, except locations of parts of the file.
func (s *source) options(w *tracewrite.Writer) {
	if s.info.Version == 0 {
		s.describe(w)
	}
	for _, o := range s.info.Options {
		switch o.ID {
		case ftrace.OptionDone, ftrace.OptionBuffer, ftrace.OptionCPUCount, ftrace.OptionStrings,
			ftrace.OptionHeaderInfo,
			ftrace.OptionFtraceEvents, ftrace.OptionEventFormats, ftrace.OptionKallsyms, ftrace.OptionPrintk,
			ftrace.OptionCmdlines, ftrace.OptionBufferText, ftrace.OptionBTF, ftrace.OptionModules:
		default:
			w.Option(o.ID, o.Payload)
		}
	}
}

// describe writes data as options that a copy of tracefs has in files: the machine, and the
// kernel's counters, with an empty line after each processor as in trace-cmd.
func (s *source) describe(w *tracewrite.Writer) {
	for _, stats := range s.info.CPUStats {
		w.Option(ftrace.OptionCPUStat, append([]byte(stats), "\n\x00"...))
	}
	if s.info.Uname != "" {
		w.Option(ftrace.OptionUname, append([]byte(s.info.Uname), 0))
	}
	for _, boot := range s.info.LastBootInfo {
		w.Option(ftrace.OptionLastBoot, append([]byte(boot), 0))
	}
}

// places prints the offsets of the data, as trace-cmd does on standard error. It ignores failures
// to print.
func places(out io.Writer, h *tracewrite.Header, data [][]tracewrite.CPU) {
	var b []byte
	packed := h.Compression != "" && h.Compression != "none"
	for i, cpus := range data {
		if i > 0 {
			b = fmt.Appendf(b, "\nBuffer: %s\n\n", h.Buffers[i].Name)
		}
		for _, c := range cpus {
			b = fmt.Appendf(b, "CPU%d data recorded at offset=0x%x\n    %d bytes in size", c.ID, c.Offset, c.Size)
			if packed {
				b = fmt.Appendf(b, " (%d uncompressed)", c.Plain)
			}
			b = append(b, '\n')
		}
	}
	out.Write(b)
}

var errNoOutput = errors.New("missing output file: -o FILE")

// shortPage writes the intact part of a truncated sub-buffer. The truncation has been reported.
func (s *source) shortPage(w *tracewrite.Writer, b *ftrace.Buffer, c *ftrace.CPU, page []byte) error {
	big := s.info.ByteOrder.Uint16([]byte{0, 1}) == 1
	raw, err := ftrace.NewRawPages(s.info.HeaderPage, s.rec.Formats(), big, s.info.WordSize, b.PageSize)
	if err == nil {
		_, err = raw.Enter(page)
	}
	if err != nil {
		s.damage(fmt.Errorf("%s: buffer %q, CPU %d: the last %d bytes: %w", s.job.Path, b.Name, c.ID, len(page), err))
		return nil
	}
	pages := tracewrite.NewPages(s.info.ByteOrder.(tracewrite.ByteOrder), s.info.WordSize, b.PageSize, w.Page)
	for {
		var r record.Record
		_, _, ok, err := raw.Next(&r)
		if err != nil {
			s.damage(fmt.Errorf("%s: buffer %q, CPU %d: in the last %d bytes: %w", s.job.Path, b.Name, c.ID, len(page),
				err))
		}
		if !ok {
			return pages.Flush()
		}
		if err := pages.Add(r.Time, r.Lost, r.Data); err != nil {
			return err
		}
	}
}

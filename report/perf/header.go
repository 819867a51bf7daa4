package perf

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/perf"
)

// HeaderText selects the parts of a recording's header to print.
type HeaderText int

// The texts of a header.
const (
	NoHeader   HeaderText = iota
	Header                // sections about the computer are only named
	FullHeader            // all sections
)

// PrintHeader prints the header of a recording, as perf report --header-only does.
func PrintHeader(ctx context.Context, job *report.Job, like string, text HeaderText) error {
	rec, err := sources.OpenPerf(ctx, &job.Job)
	if err != nil {
		return err
	}
	defer rec.Close()
	return report.Tell(job, rec, printHeader(ctx, job, rec, likeOf(rec, like), text))
}

// printHeader prints the header of an open recording. In a pipe, the features follow the header.
func printHeader(ctx context.Context, job *report.Job, rec *perf.Recording, like like, text HeaderText) error {
	if text == NoHeader {
		return nil
	}
	const (
		version = 1 // all files with the magic PERFILE2 have this version
		border  = "========"
	)
	h := &header{out: bufio.NewWriter(job.Out), rec: rec, like: like, full: text == FullHeader}
	at, size := rec.Info().Storage.Offset, rec.Info().Storage.Size
	h.line(border)
	h.line("captured on    : %s", captured(ctx, job))
	h.line("header version : %d", version)
	h.line("data offset    : %d", at)
	h.line("data size      : %d", size)
	h.line("feat offset    : %d", at+size)
	if rec.Pipe() {
		h.text("# ", border, "\n#\n")
		h.sections()
	} else {
		h.sections()
		h.missing()
		h.text("# ", border, "\n#\n")
	}
	return h.out.Flush()
}

// captured returns the time at which the file of a recording was last written, by the local clock.
func captured(ctx context.Context, job *report.Job) string {
	in, err := job.Open(ctx, job.Path, sources.Perf())
	if err != nil {
		return "unknown"
	}
	var st fs.FileInfo
	switch {
	case in.Dir != nil:
		st, err = fs.Stat(in.Dir, "data")
	case in.Place != "":
		st, err = os.Stat(filepath.FromSlash(in.Place))
	default:
		return "unknown" // a pipe, or an unpacked file
	}
	if err != nil {
		return "unknown"
	}
	return st.ModTime().Local().Format(time.ANSIC)
}

// header prints a header. Errors come from the last Flush.
type header struct {
	out  *bufio.Writer
	rec  *perf.Recording
	like like
	full bool
}

func (h *header) line(format string, args ...any) { fmt.Fprintf(h.out, "# "+format+"\n", args...) }

func (h *header) text(list ...string) {
	for _, s := range list {
		h.out.WriteString(s)
	}
}

// sections prints the sections that can be read.
func (h *header) sections() {
	for _, s := range h.rec.Info().Sections {
		switch {
		case s.Damaged: // damage is reported as a message
		case !s.Feature.Known():
			h.line("feature %v: %d bytes at %d, unknown", s.Feature, s.Size, s.Offset)
		case !h.full && ofComputer(s.Feature):
			h.line("%v info available, use -I to display", s.Feature)
		default:
			h.section(s.Feature)
		}
	}
}

// ofComputer reports whether perf prints a section only on request.
func ofComputer(f perf.Feature) bool {
	switch f {
	case perf.FeatureTopology, perf.FeatureNodes, perf.FeatureCaches, perf.FeatureMemoryMap, perf.FeatureHybrid,
		perf.FeatureDomains:
		return true
	}
	return false
}

// section prints a section. The sections about the computer are in another file.
func (h *header) section(f perf.Feature) {
	i := h.rec.Info()
	switch f {
	case perf.FeatureHost:
		h.line("hostname : %s", i.Host)
	case perf.FeatureRelease:
		h.line("os release : %s", i.Release)
	case perf.FeatureVersion:
		h.line("perf version : %s", i.Version)
	case perf.FeatureArch:
		h.line("arch : %s", i.Arch)
	case perf.FeatureCPUs:
		h.line("nrcpus online : %d", i.Online)
		h.line("nrcpus avail : %d", i.CPUs)
	case perf.FeatureCPUDesc:
		h.line("cpudesc : %s", i.CPU)
	case perf.FeatureCommandLine:
		h.commandLine(i.CommandLine)
	case perf.FeatureEventDesc:
		h.events(i.Described)
	case perf.FeatureBranches:
		h.line("contains samples with branch stack")
	case perf.FeatureGroups:
		h.groups(i.Groups)
	case perf.FeatureAux:
		h.line("contains AUX area data (e.g. instruction trace)")
	case perf.FeatureStat:
		h.line("contains stat data")
	case perf.FeatureSampleTime:
		h.line("time of first sample : %d.%06d", i.First/1e9, i.First%1e9/1000)
		h.line("time of last sample : %d.%06d", i.Last/1e9, i.Last%1e9/1000)
		h.line("sample duration : %10.3f ms", float64(i.Last-i.First)/1e6)
	case perf.FeatureClockID:
		h.line("clockid frequency: %d MHz", i.Clock.Resolution*1000)
	case perf.FeatureDirectory:
		h.line("directory data version : %d", i.Storage.Directory)
	case perf.FeatureBPFPrograms:
		h.programs(i.BPF.Programs)
	case perf.FeatureBTF:
		h.types(i.BPF.Types)
	case perf.FeatureCompressed:
		h.compression(&i.Storage.Compression)
	case perf.FeatureClockData:
		h.clock(&i.Clock)
	default:
		h.computer(f)
	}
}

// commandLine prints arguments as perf does: it escapes only single quotes.
func (h *header) commandLine(args []string) {
	h.text("# cmdline : ")
	for _, arg := range args {
		h.text(strings.ReplaceAll(arg, "'", `\'`), " ")
	}
	h.text("\n")
}

func (h *header) events(list []perf.Described) {
	big := h.rec.Machine().BigEndian
	for i := range list {
		d := &list[i]
		h.text("# event : name = ", d.Name, ", ")
		for n, id := range d.IDs {
			sep := ", "
			if n == 0 {
				sep = ", id = { "
			}
			h.text(sep, strconv.FormatUint(id, 10))
		}
		if len(d.IDs) > 0 {
			h.text(" }")
		}
		e := &perf.Event{Name: d.Name, Attr: &d.Attr}
		h.text(", ", string(appendAttr(nil, e, " = ", big, h.like)), "\n")
	}
}

// groups prints the members of groups. The leaders are in the order of the events.
func (h *header) groups(list []perf.Group) {
	left := uint32(0) // members of the group that is being printed
	for i, e := range h.rec.Attrs() {
		switch {
		case len(list) > 0 && list[0].Leader == uint32(i):
			if left > 0 {
				h.text("}\n")
			}
			if left = max(1, list[0].Members) - 1; left > 0 {
				h.text("# group: ", list[0].Name, "{", e.Name)
			}
			list = list[1:]
			continue
		case left == 0:
			continue
		}
		h.text(",", e.Name)
		if left--; left == 0 {
			h.text("}\n")
		}
	}
	if left > 0 {
		h.text("}\n")
	}
}

func (h *header) programs(list []perf.Program) {
	if len(list) == 0 && h.like.constants {
		h.line("bpf_prog_info empty")
	}
	for _, p := range list {
		if len(p.Parts) == 1 {
			h.line("bpf_prog_info %d: %s addr 0x%x size %d", p.ID, p.Parts[0].Name, p.Parts[0].Address, p.Parts[0].Size)
			continue
		}
		h.line("bpf_prog_info %d:", p.ID)
		for i, part := range p.Parts {
			h.line("\tsub_prog %d: %s addr 0x%x size %d", i, part.Name, part.Address, part.Size)
		}
	}
}

func (h *header) types(ids []uint32) {
	if len(ids) == 0 && h.like.constants {
		h.line("btf info empty")
	}
	for _, id := range ids {
		h.line("btf info of id %d", id)
	}
}

func (h *header) compression(c *perf.Compression) {
	kind := "Unknown"
	if c.Type == perf.Zstd {
		kind = "Zstd"
	}
	h.line("compressed : %s, level = %d, ratio = %d", kind, c.Level, c.Ratio)
}

func (h *header) clock(c *perf.Clock) {
	name, wall := cmp.Or(c.Name(), "(not found)"), time.Unix(0, int64(c.Wall))
	h.line("clockid: %s (%d)", name, c.ID)
	h.line("reference time: %s = %d.%06d (TOD) = %d.%09d (%s)", wall.Local().Format("2006-01-02 15:04:05.000000"),
		c.Wall/1e9, c.Wall%1e9/1000, c.Time/1e9, c.Time%1e9, name)
}

// missing names the features that the version of perf knows and the recording lacks.
func (h *header) missing() {
	last := perf.FeaturePMUCaps
	if h.like.constants {
		last = perf.FeatureLineSize
	}
	h.text("# missing features: ")
	for f := perf.FeatureTracing; f <= last; f++ {
		if !h.rec.Info().Has(f) {
			h.text(f.String(), " ")
		}
	}
	h.text("\n")
}

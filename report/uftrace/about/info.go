package about

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
)

// The bits of the groups of lines in the file info (uftrace.md 1.2).
const (
	exeName uftrace.InfoField = 1 << iota
	exeBuildID
	exitStatus
	cmdLine
	cpuInfo
	memInfo
	osInfo
	taskInfo
	usageInfo
	loadInfo
	argSpec
	recordDate
	patternType
	version
	utcOffset
	sysctl
)

// printer collects lines.
type printer struct {
	out []byte
	in  *uftrace.Info
}

func (p *printer) has(f uftrace.InfoField) bool { return p.in.Fields&f != 0 }

func (p *printer) line(name, format string, args ...any) {
	p.out = fmt.Appendf(p.out, "# %-20s: "+format+"\n", append([]any{name}, args...)...)
}

// when prints a line if its group is in the file.
func (p *printer) when(f uftrace.InfoField, name, format string, args ...any) {
	if p.has(f) {
		p.line(name, format, args...)
	}
}

func (p *printer) heading(text string) {
	p.out = fmt.Appendf(p.out, "# %s\n# %s\n", text, strings.Repeat("=", len(text)))
}

// info returns the output of `uftrace info`.
func info(ctx context.Context, rec *uftrace.Recording, opts *Options) ([]byte, error) {
	p := &printer{in: rec.Info()}
	p.heading("system information")
	p.system(rec, opts.Style)
	if opts.System {
		return append(p.out, '\n'), nil
	}
	p.out = append(p.out, "#\n"...)
	p.heading("process information")
	if err := p.process(ctx, rec); err != nil {
		return nil, err
	}
	if note := rec.Note(); note != "" {
		p.out = append(p.out, "#\n"...)
		p.heading("extra note information")
		p.out = append(p.out, note...)
	}
	return append(p.out, '\n'), nil
}

func (p *printer) system(rec *uftrace.Recording, style values.Style) {
	in := p.in
	p.when(version, "program version", "%s", in.Recorder)
	p.line("recorded on", "%s", recordedOn(rec))
	p.when(cmdLine, "cmdline", "%s", in.CmdLine)
	if p.has(cpuInfo) {
		p.line("cpu info", "%s", in.CPUDesc)
		online, possible := pair(in.CPUs)
		p.line("number of cpus", "%d / %d (online / possible)", online, possible)
	}
	p.when(memInfo, "memory info", "%s", in.Memory)
	if p.has(loadInfo) {
		l := floats(in.Load)
		p.line("system load", "%.2f / %.2f / %.2f (1 / 5 / 15 min)", l[0], l[1], l[2])
	}
	if p.has(osInfo) {
		p.line("kernel version", "%s", in.Kernel)
		p.line("hostname", "%s", in.Hostname)
		p.line("distro", "%s", in.Distro)
	}
	if style != values.V013 && p.has(sysctl) {
		for _, word := range strings.Fields(in.SysCtl) {
			if name, value, ok := strings.Cut(word, "="); ok {
				p.line(name, "%s", value)
			}
		}
	}
}

func (p *printer) process(ctx context.Context, rec *uftrace.Recording) error {
	in := p.in
	if p.has(taskInfo) {
		names, err := Lives(ctx, rec, nil)
		if err != nil {
			return err
		}
		list := make([]string, 0, len(in.TIDs))
		for _, tid := range in.TIDs {
			list = append(list, fmt.Sprintf("%d(%s)", tid, names[tid].Comm))
		}
		p.line("number of tasks", "%d", len(in.TIDs))
		p.line("task list", "%s", strings.Join(list, ", "))
	}
	p.when(exeName, "exe image", "%s", in.ExeName)
	p.when(exeBuildID, "build id", "%s", in.BuildID)
	if p.has(argSpec) {
		for _, l := range []struct{ name, value string }{{"arguments", in.ArgSpec}, {"return values", in.RetSpec}} {
			if l.value != "" {
				p.line(l.name, "%s", l.value)
			}
		}
		if in.AutoArgs {
			p.line("auto-args", "true")
		}
	}
	p.when(patternType, "pattern", "%s", in.PatternType)
	p.when(exitStatus, "exit status", "%s", exitText(in.ExitStatus))
	p.when(recordDate, "elapsed time", "%s", in.Elapsed)
	if p.has(usageInfo) {
		p.usage()
	}
	return nil
}

func (p *printer) usage() {
	in := p.in
	p.line("cpu time", "%.3f / %.3f sec (sys / user)", floats(in.SysTime)[0], floats(in.UsrTime)[0])
	a, b := pair(in.CtxSwitch)
	p.line("context switch", "%d / %d (voluntary / involuntary)", a, b)
	a, _ = pair(in.MaxRSS)
	p.line("max rss", "%d KB", a)
	a, b = pair(in.PageFaults)
	p.line("page fault", "%d / %d (major / minor)", a, b)
	a, b = pair(in.IOps)
	p.line("disk iops", "%d / %d (read / write)", a, b)
}

// recordedOn returns the recorded date. Without one, it returns the modification time of the file
// info, which is the end of the recording.
func recordedOn(rec *uftrace.Recording) string {
	in := rec.Info()
	if in.Fields&recordDate != 0 {
		return in.RecordDate
	}
	st, err := fs.Stat(rec.FS(), "info")
	if err != nil {
		return "unknown"
	}
	return st.ModTime().Format(time.ANSIC)
}

// pair reads `a / b`.
func pair(text string) (a, b int64) {
	n := numbers(text, "0123456789-")
	return int64(n[0]), int64(n[1])
}

// numbers reads up to three numbers, separated by slashes, as scanf does: after the first invalid
// number all are 0.
func numbers(text, digits string) (list [3]float64) {
	for i := range list {
		text = strings.TrimLeft(text, " \t")
		end := 0
		for end < len(text) && strings.IndexByte(digits, text[end]) >= 0 {
			end++
		}
		f, err := strconv.ParseFloat(text[:end], 64)
		if err != nil {
			break
		}
		list[i] = f
		rest, more := strings.CutPrefix(strings.TrimLeft(text[end:], " \t"), "/")
		if !more {
			break
		}
		text = rest
	}
	return list
}

// floats reads numbers with fractions.
func floats(text string) [3]float64 { return numbers(text, "0123456789.-+eE") }

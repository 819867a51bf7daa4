package dump

import (
	"fmt"
	"strings"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
)

// The names of the bits, from bit 0 (uftrace.md 1.2). uftrace 0.19 has more names.
var (
	featureNames = []string{
		"PLTHOOK", "TASK_SESSION", "KERNEL", "ARGUMENT", "RETVAL", "SYM_REL_ADDR", "MAX_STACK", "EVENT", "PERF_EVENT",
		"AUTO_ARGS", "DEBUG_INFO", "ESTIMATE_RETURN", "SYM_SIZE",
	}
	fieldNames = []string{
		"EXE_NAME", "EXE_BUILD_ID", "EXIT_STATUS", "CMDLINE", "CPUINFO", "MEMINFO", "OSINFO", "TASKINFO", "USAGEINFO",
		"LOADINFO", "ARG_SPEC", "RECORD_DATE", "PATTERN_TYPE", "VERSION", "UTC_OFFSET", "SYSCTL",
	}
)

// The number of names in uftrace 0.13, which omits unknown bits. 0.19 knows a bit without a name.
const (
	oldFeatures     = 12
	oldFields       = 14
	namelessFeature = 13
)

// magic is the text of the first bytes of the file in uftrace's output.
const magic = "4674726163652100"

// header prints the start of the file info.
func (d *dumper) header() {
	in := d.rec.Info()
	if in.Missing {
		return
	}
	line := func(name, format string, args ...any) {
		d.out = fmt.Appendf(d.out, "uftrace file header: %-13s = "+format+"\n", append([]any{name}, args...)...)
	}
	order, orderName := 1, "little"
	if in.BigEndian {
		order, orderName = 2, "big"
	}
	class, bits := 2, 64
	if in.WordSize == 4 {
		class, bits = 1, 32
	}
	features, fields := featureNames, fieldNames
	if d.opts.Style == values.V013 {
		features, fields = features[:oldFeatures], fields[:oldFields]
	}
	line("magic", "%s", magic)
	line("version", "%d", in.Version)
	line("header size", "%d", headerSize(in))
	line("endian", "%d (%s)", order, orderName)
	line("class", "%d (%d bit)", class, bits)
	line("features", "%s", bitNames(uint64(in.Features), features, d.opts.Style))
	line("info", "%s", bitNames(uint64(in.Fields), fields, values.V013))
	if d.opts.Debug {
		d.headerBytes(in)
		d.taskFile()
	}
	d.out = append(d.out, '\n')
}

// headerSize returns the header size that uftrace prints. uftrace does not swap the bytes of this
// number (uftrace.md 1.6, byte order).
func headerSize(in *uftrace.Info) uint16 {
	if in.BigEndian {
		return in.HeaderSize>>8 | in.HeaderSize<<8
	}
	return in.HeaderSize
}

// bitNames formats a mask with the names of its bits: 0x63 (A | B).
func bitNames(mask uint64, names []string, style values.Style) string {
	var set []string
	for i, n := range names {
		if mask>>i&1 != 0 {
			set = append(set, n)
		}
	}
	if style != values.V013 && mask>>namelessFeature&1 != 0 {
		set = append(set, "(null)")
	}
	if mask == 0 {
		return "0 ()" // as C does with %#x
	}
	return fmt.Sprintf("%#x (%s)", mask, strings.Join(set, " | "))
}

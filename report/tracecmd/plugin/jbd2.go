package plugin

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// label is a label and a field of a text such as ` tid 15 wait 0`.
type label struct{ text, field string }

// newJBD2RunStats and newJBD2Checkpoint print times in jiffies. The plugin's jiffies_to_msecs
// returns its argument, because the length of a jiffy is not recorded. The kernel's own text has
// milliseconds. This text is for trace-cmd's own command line only.
func newJBD2RunStats(_ *Context, l *layout) Handler {
	return newJBD2(l, []label{
		{" tid ", "tid"},
		{" wait ", "wait"},
		{" request_delay ", "request_delay"},
		{" running ", "running"},
		{" locked ", "locked"},
		{" flushing ", "flushing"},
		{" logging ", "logging"},
		{" handle_count ", "handle_count"},
		{" blocks ", "blocks"},
		{" blocks_logged ", "blocks_logged"},
	})
}

func newJBD2Checkpoint(_ *Context, l *layout) Handler {
	return newJBD2(l, []label{
		{" tid ", "tid"},
		{" chp_time ", "chp_time"},
		{" forced_to_close ", "forced_to_close"},
		{" written ", "written"},
		{" dropped ", "dropped"},
	})
}

func newJBD2(l *layout, labels []label) Handler {
	dev := l.num("dev")
	fields := make([]*interp.Reader, len(labels))
	for i := range labels {
		fields[i] = l.num(labels[i].field)
	}
	return func(dst []byte, r *record.Record) []byte {
		// include/linux/kdev_t.h: MAJOR and MINOR
		d := uint32(dev.Uint(r.Data))
		dst = append(dst, "dev "...)
		dst = render.Udec(dst, uint64(d>>20))
		dst = append(dst, ',')
		dst = render.Udec(dst, uint64(d&(1<<20-1)))
		for i, f := range fields {
			dst = append(dst, labels[i].text...)
			dst = render.Udec(dst, uint64(uint32(f.Uint(r.Data)))) // %u
		}
		return dst
	}
}

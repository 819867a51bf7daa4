package plugin

import (
	"strings"
	"testing"
)

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		args string
		want Options
		err  string
	}{
		{args: "", want: Options{}},
		{args: "parent", want: Options{Parent: true}},
		{args: "ftrace:parent=1", want: Options{Parent: true}},
		{args: "ftrace:parent=true offset", want: Options{Parent: true, Offset: true}},
		{args: "parent parent=0", want: Options{}},
		{args: "parent parent", want: Options{Parent: true}},
		{args: "indent", want: Options{NoIndent: true}},
		{args: "indent indent", want: Options{NoIndent: true}},
		{args: "indent=0", want: Options{NoIndent: true}},
		{args: "indent indent=1", want: Options{}},
		{args: "fgraph:tailprint fgraph:depth=true", want: Options{TailPrint: true, Depth: true}},
		{args: "fgraph:parent", err: "no such variable"},
		{args: "nosuch=1", err: "no such variable"},
		{args: ":parent", err: "no such variable"},
		{args: "parent=yes", err: `value "yes"`},
		{args: "parent=", err: `value ""`},
	} {
		t.Run(tt.args, func(t *testing.T) {
			var o Options
			var err error
			for _, a := range strings.Fields(tt.args) {
				if e := o.Set(a); e != nil {
					err = e
				}
			}
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			if o != tt.want {
				t.Errorf("got %+v, want %+v", o, tt.want)
			}
		})
	}
}

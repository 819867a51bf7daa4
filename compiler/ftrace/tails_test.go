package ftrace

import (
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
)

// Of two fields that reach to the end of the record, the first one is used. Mutants found this
// case: generated decoders could not convert such a record to their layout and left its text out,
// but interp printed it.
func TestOneTail(t *testing.T) {
	format := "name: raw\nID: 19\nformat:\n" +
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n" +
		"\tfield:char buf[];\toffset:12;\tsize:0;\tsigned:0;\n" +
		"\tfield:char more[];\toffset:14;\tsize:0;\tsigned:0;\n\nprint fmt: \"%x\", REC->buf[0]\n"
	ev, diags := CompileEvent("test", "raw", []byte(format), ir.Target{WordSize: 8})
	if len(ev.Fields) != 2 || ev.Fields[1].Name != "buf" {
		t.Errorf("fields %v", ev.Fields)
	}
	if len(diags) != 1 || !strings.Contains(diags[0].Error(), "buf and more") {
		t.Errorf("messages %v", diags)
	}
}

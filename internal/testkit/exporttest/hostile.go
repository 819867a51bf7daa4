package exporttest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// hostile are texts that formats must escape, since they would otherwise have another meaning.
var hostile = []string{
	"plain", "", " ", "a,b", `"`, `say "hi", twice`, "two\nlines", "\r\n", "\t", "\\", `\x41`, "\xff\xfe", "\xc3(",
	"größer", "\u2028", "\U0001f600", "</script>", "null", "-1",
	"=1+1", "@SUM(A1)", "'", "\x01\x1b[0m", "\x7f", `{"time":0}`, "\xed\xa0\x80",
}

const hostileFormat = "name: %s\nID: %d\nformat:\n" +
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" +
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" +
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" +
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" +
	"\tfield:unsigned long state;\toffset:8;\tsize:8;\tsigned:0;\n" +
	"\tfield:char state_name[32];\toffset:16;\tsize:32;\tsigned:0;\n" +
	"\tfield:char comm[16];\toffset:48;\tsize:16;\tsigned:0;\n" +
	"\tfield:s64 list[2];\toffset:64;\tsize:16;\tsigned:1;\n" +
	"\nprint fmt: \"%%s: %%s\", REC->state_name, __print_symbolic(REC->state, { 0, \"zero\" }, { 1, \"a,\\\"b\\n\" })\n"

// Hostile opens a recording of ftrace with unusual names and values, which a careless exporter
// would not expect. They are names with quotes, line breaks and bytes that are not UTF-8, fields
// with names of columns, and integers of 64 bits.
func Hostile(t testing.TB) record.Recording {
	t.Helper()
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096, CPUs: 1, Ftrace: []string{tracefile.Format("print", 5)}}
	f.Systems = []tracefile.System{{Name: "a\"b\xff",
		Formats: []string{fmt.Sprintf(hostileFormat, "ev\"ent,\xff", 301), fmt.Sprintf(hostileFormat, "plain", 302)}}}
	var pages []byte
	for i, text := range hostile {
		page := m.NewPage(4096, 1<<60+uint64(i)*1000)
		b := m.Payload(uint16(301+i%2), int32(i))
		b = m.Order().AppendUint64(b, []uint64{0, 1, 1 << 63, 1<<53 + 1}[i%4])
		b = append(b, pad(text, 32)...)
		b = append(b, pad(text, 16)...)
		b = m.Order().AppendUint64(b, 1<<63)
		b = m.Order().AppendUint64(b, ^uint64(0))
		pages = append(pages, page.Event(1, b).Event(1, m.Payload(999, 1)).Done()...) // 999 is not described
		f.Cmdlines += fmt.Sprintf("%d %s\n", i, bytes.ReplaceAll([]byte(text), []byte("\n"), nil))
	}
	f.Buffers = []tracefile.Buffer{{Clock: "[local]", CPUs: []tracefile.CPU{{Pages: pages}}}}
	b := f.Bytes()
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "hostile")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func pad(s string, n int) []byte { return append([]byte(s), make([]byte, n)...)[:n] }

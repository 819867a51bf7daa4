package gen_test

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/runtime/bind/calls"
	"github.com/tracec/tracec/runtime/uftrace"
)

var target64 = ir.Target{WordSize: 8}

// payload compiles specs.
func payload(t testing.TB, specs ...uftrace.Spec) *gen.Payload {
	t.Helper()
	f := compiler.Function{Name: "f"}
	for _, s := range specs {
		f.Values = append(f.Values, compiler.Value(s))
	}
	ev, err := compiler.Compile(f, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &gen.Payload{Event: ev, Layout: calls.Layout(specs, false)}
}

func arg(n, size int) uftrace.Spec { return uftrace.Spec{Index: n, Format: 'i', Size: size} }

// names are the callbacks of a generated Decoder, those of returns left out.
func names(t testing.TB, list ...gen.Call) []string {
	t.Helper()
	files, err := gen.GenerateCalls("", target64, list, gen.Options{Package: "p"})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+?)Return +func`).FindAllStringSubmatch(string(files[0].Content), -1) {
		out = append(out, m[1])
	}
	return out
}

func TestCallNames(t *testing.T) {
	call := func(module, name, simple string, size int) gen.Call {
		return gen.Call{Module: module, Name: name, Simple: simple, Args: payload(t, arg(1, size))}
	}
	tests := []struct {
		name string
		list []gen.Call
		want []string // # is a fingerprint
	}{
		{"plain", []gen.Call{call("", "open", "open", 4), call("", "read_all", "read_all", 4)}, []string{"Open", "ReadAll"}},
		{"of a module", []gen.Call{call("", "open", "open", 4), call("libx.so.1", "open", "open", 8)}, []string{"Open", "LibxSo1Open"}},
		{"overloaded", []gen.Call{call("", "_Z1fi", "f", 4), call("", "_Z1fl", "f", 8)}, []string{"FX#", "FX#"}},
		{"operators", []gen.Call{call("", "_Za", "a::operator+", 4), call("", "_Zb", "a::~a", 4)}, []string{"AOperator", "AA"}},
		{"static twice", []gen.Call{call("app", "init", "init", 4), call("app", "init", "init", 8)}, []string{"InitX#", "InitX#"}},
		{"like a return", []gen.Call{call("", "open", "open", 4), call("", "open_return", "open_return", 4)}, []string{"OpenX#", "OpenReturnX#"}},
		{"taken", []gen.Call{call("", "run_tasks", "run_tasks", 4), call("", "decoder", "decoder", 4)}, []string{"DecoderX#", "RunTasksX#"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := names(t, tt.list...)
			for i := range got {
				got[i] = regexp.MustCompile(`X[0-9a-f]{8}$`).ReplaceAllString(got[i], "X#")
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	// What else is generated does not change a name with a suffix.
	alone := names(t, call("", "_Z1fi", "f", 4), call("", "_Z1fl", "f", 8))
	if more := names(t, call("", "_Z1fi", "f", 4), call("", "_Z1fl", "f", 8), call("", "_Z1fc", "f", 1)); !slices.Contains(more, alone[0]) || !slices.Contains(more, alone[1]) {
		t.Errorf("%v became %v", alone, more)
	}
}

func TestCallsDeterministic(t *testing.T) {
	rec := openUftrace(t, unpack(t, "../testdata/uftrace/args-auto/data.tar.gz", t.TempDir()))
	list, errs := gen.RecordedCalls(rec, everything)
	if errs != nil {
		t.Fatal(errs)
	}
	generate := func() []gen.File {
		files, err := gen.GenerateCalls("x", target64, list, gen.Options{Package: "p", Text: true})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	want := generate()
	for range 5 {
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if d := cmp.Diff(want, generate()); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
	}
}

func TestCallsRefuse(t *testing.T) {
	good := payload(t, arg(1, 4))
	big := payload(t, arg(1, 4))
	big.Layout.BigEndian = true
	other := &gen.Payload{Event: good.Event}
	bad := &gen.Payload{Event: &ir.Event{Name: "e", Fields: []*ir.Field{{Name: "x", Size: 4}}, Size: 4, Values: []*ir.Datum{{Name: "x", Type: ir.I32}}}}
	for want, list := range map[string][]gen.Call{
		"no functions":                        nil,
		"another byte order":                  {{Name: "f", Simple: "f", Args: big}},
		`the layout has no such value "arg1"`: {{Name: "f", Simple: "f", Args: other}},
		"reads other fields":                  {{Name: "f", Simple: "f", Result: bad}},
		"both become the Go name":             {{Name: "f", Simple: "f", Args: good}, {Name: "f", Simple: "f", Args: good}},
	} {
		files, err := gen.GenerateCalls("", target64, list, gen.Options{Package: "p"})
		if err == nil || !strings.Contains(err.Error(), want) || files != nil {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := gen.GenerateCalls("", target64, []gen.Call{{Name: "f", Simple: "f", Args: good}}, gen.Options{Package: "p", Split: true, ImportPath: "x"}); err == nil {
		t.Error("split")
	}
}

// No name of a recording becomes code.
func TestHostileCalls(t *testing.T) {
	var list []gen.Call
	table := &ir.Table{}
	for i, name := range append(slices.Clone(hostile), "values", "functions", "Args", "Result", "Enter", "Narrow", "Leave", "Missing", "Bind", "Run", "RunTasks", "Handle", "Stats", "AppendText", "Batch", "Call", "Text", "h", "v", "data") {
		table.Rows = append(table.Rows, ir.Row{Value: uint64(int64(i - 3)), Text: name})
		specs := []uftrace.Spec{arg(1, 8), {Index: 2, Format: 'e', Size: 4, TypeName: name}, {Index: 3, Format: 't', Size: 3, TypeName: name},
			{Index: 4, Format: 's', Location: name}, {Index: 4, Format: 'c', Size: 1}}
		p := payload(t, specs...)
		p.Enums = map[string]*gen.Enum{"arg2": {Name: name, Table: table}, "arg3": {Name: "no", Table: table}, "nothing": {Name: name, Table: &ir.Table{}}}
		list = append(list, gen.Call{Module: name, Name: name, Simple: name, Args: p}, gen.Call{Name: name + "2", Simple: name, Result: p})
	}
	files, err := gen.GenerateCalls("a */ b\npackage evil", target64, list, gen.Options{Package: "p", Text: true, Version: "1\n*/package evil"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if bytes.Contains(f.Content, []byte("\npackage evil")) {
			t.Errorf("%s begins with %.100q", f.Name, f.Content)
		}
	}
	if testing.Short() {
		return
	}
	m := newModule(t)
	for _, f := range files {
		m.write("p/"+f.Name, f.Content)
	}
	m.must(nil, "go", "build", "./p")
	m.vet("./p")
}

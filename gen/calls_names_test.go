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
	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/uftrace"
)

var target64 = ir.Target{WordSize: 8}

// payload compiles specs.
func payload(t testing.TB, specs ...uftrace.Spec) *ir.Event {
	t.Helper()
	ev, err := compiler.Compile(compiler.Function{Name: "f", Values: recorded.Values(specs)}, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

// function makes the events of a function. The event of its calls or of its returns may be nil.
func function(module, name, simple string, call, ret *ir.Event) []*ir.Event {
	pair := []*ir.Event{call, ret}
	for i := range pair {
		if pair[i] == nil {
			pair[i] = &ir.Event{}
		}
		pair[i].Group, pair[i].Name, pair[i].Label, pair[i].Exit = module, name, simple, i == 1
	}
	return pair
}

func functions(source string, events []*ir.Event) *ir.Unit {
	return &ir.Unit{Lang: "uftrace", Container: "github.com/tracec/tracec/runtime/uftrace", Entries: true,
		Sequential: true, Source: source, Target: target64, Events: events}
}

func arg(n, size int) uftrace.Spec { return uftrace.Spec{Index: n, Format: 'i', Size: size} }

// names returns the variables of events in a generated package, without Event at the end. It leaves
// out variables of calls.
func names(t testing.TB, list ...[]*ir.Event) []string {
	t.Helper()
	files, err := gen.Generate(functions("", slices.Concat(list...)), gen.Options{Package: "p"})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+?)ReturnEvent += &events`).FindAllStringSubmatch(string(files[0].Content), -1) {
		out = append(out, m[1])
	}
	return out
}

func TestCallNames(t *testing.T) {
	call := func(module, name, simple string, size int) []*ir.Event {
		return function(module, name, simple, payload(t, arg(1, size)), nil)
	}
	tests := []struct {
		name string
		list [][]*ir.Event
		want []string // # is a fingerprint
	}{
		{"plain", [][]*ir.Event{call("", "open", "open", 4), call("", "read_all", "read_all", 4)},
			[]string{"Open", "ReadAll"}},
		{"of a module", [][]*ir.Event{call("", "open", "open", 4), call("libx.so.1", "open", "open", 8)},
			[]string{"Open", "LibxSo1Open"}},
		{"overloaded", [][]*ir.Event{call("", "_Z1fi", "f", 4), call("", "_Z1fl", "f", 8)}, []string{"FX#", "FX#"}},
		{"operators", [][]*ir.Event{call("", "_Za", "a::operator+", 4), call("", "_Zb", "a::~a", 4)},
			[]string{"AOperator", "AA"}},
		{"static twice", [][]*ir.Event{call("app", "init", "init", 4), call("app", "init", "init", 8)},
			[]string{"InitX#", "InitX#"}},
		{"like a return", [][]*ir.Event{call("", "open", "open", 4), call("", "open_return", "open_return", 4)},
			[]string{"OpenX#", "OpenReturnX#"}},
		{"like what others declare", [][]*ir.Event{call("", "open", "open", 4), call("", "open_event", "open_event", 4),
			call("", "run_streams", "run_streams", 4)}, []string{"Open", "OpenEvent", "RunStreams"}},
		{"taken", [][]*ir.Event{call("", "package", "package", 4), call("", "decoder", "decoder", 4)},
			[]string{"DecoderX#", "PackageX#"}},
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
	// Other generated events do not change a name with a suffix.
	alone := names(t, call("", "_Z1fi", "f", 4), call("", "_Z1fl", "f", 8))
	if more := names(t, call("", "_Z1fi", "f", 4), call("", "_Z1fl", "f", 8),
		call("", "_Z1fc", "f", 1)); !slices.Contains(more, alone[0]) || !slices.Contains(more, alone[1]) {
		t.Errorf("%v became %v", alone, more)
	}
}

func TestCallsDeterministic(t *testing.T) {
	rec := openUftrace(t, unpack(t, "../testdata/uftrace/args-auto/data.tar.gz", t.TempDir()))
	u, errs := recorded.Unit(rec, everything)
	if errs != nil {
		t.Fatal(errs)
	}
	u.Source = "x"
	list := slices.Collect(slices.Chunk(u.Events, 2))
	generate := func() []gen.File {
		u.Events = slices.Concat(list...)
		files, err := gen.Generate(u, gen.Options{Package: "p", Text: true})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	want := generate()
	for range needs.Cases(t, 2, 5) {
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if d := cmp.Diff(want, generate()); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
	}
}

func TestCallsRefuse(t *testing.T) {
	call := func() []*ir.Event { return function("", "f", "f", payload(t, arg(1, 4)), nil) }
	twice := payload(t, arg(1, 4))
	twice.Fields[1].Optional = true
	bad := &ir.Event{Fields: []*ir.Field{{Name: "x", Size: 4}}, Size: 4}
	for want, list := range map[string][]*ir.Event{
		"no events":                            nil,
		"is not in every record":               function("", "f", "f", nil, twice),
		"it has fields other than its payload": function("", "f", "f", nil, bad),
		"both become the Go name":              slices.Concat(call(), call()),
	} {
		files, err := gen.Generate(functions("", list), gen.Options{Package: "p"})
		if err == nil || !strings.Contains(err.Error(), want) || files != nil {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := gen.Generate(functions("", call()),
		gen.Options{Package: "p", Split: true, ImportPath: "x"}); err == nil {
		t.Error("split")
	}
}

// Names in a recording never become code.
func TestHostileCalls(t *testing.T) {
	var list []*ir.Event
	table := &ir.Table{}
	for i, name := range append(slices.Clone(hostile), "values", "functions", "Args", "Result", "Return", "ReturnEvent",
		"Bind", "Package", "package", "AppendText", "Event", "Events", "Text", "h", "v", "data") {
		table.Rows = append(table.Rows, ir.Row{Value: uint64(int64(i - 3)), Text: name})
		specs := []uftrace.Spec{arg(1, 8), {Index: 2, Format: 'e', Size: 4, TypeName: name},
			{Index: 3, Format: 't', Size: 3, TypeName: name},
			{Index: 4, Format: 's', Location: name}, {Index: 4, Format: 'c', Size: 1}}
		p, q := payload(t, specs...), payload(t, specs...)
		p.Fields[2].Enum = &ir.Enum{Name: name, Func: "UftraceEnum", Table: table}
		q.Fields[2].Enum = p.Fields[2].Enum
		list = append(list, function(name, name, name, p, nil)...)
		list = append(list, function("", name+"2", name, nil, q)...)
	}
	files, err := gen.Generate(functions("a */ b\npackage evil", list),
		gen.Options{Package: "p", Text: true, Version: "1\n*/package evil"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if bytes.Contains(f.Content, []byte("\npackage evil")) {
			t.Errorf("%s begins with %.100q", f.Name, f.Content)
		}
	}
	compiles(t, files)
	if !needs.LongProofs(t) {
		return
	}
	m := newModule(t)
	for _, f := range files {
		m.write("p/"+f.Name, f.Content)
	}
	m.build(nil, "./p")
	m.vet("./p")
}

package ftrace

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tracec/tracec/grammar/diag"
)

const irqFormat = "name: irq_handler_entry\n" +
	"ID: 141\n" +
	"format:\n" +
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" +
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n" +
	"\n" +
	"\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n" +
	"\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:1;\n" +
	"\n" +
	"print fmt: \"irq=%d name=%s\", REC->irq, __get_str(name)\n"

// TestParse shows a whole file with every position.
func TestParse(t *testing.T) {
	at := func(text string, line, column int) lexer.Position {
		return lexer.Position{Filename: "f", Offset: strings.Index(irqFormat, text), Line: line, Column: column}
	}
	want := &File{
		Pos: at("name:", 1, 1), Name: "irq_handler_entry", ID: 141,
		Fields: []*Field{
			{Pos: at("unsigned short", 4, 8), Decl: "unsigned short common_type", Offset: 0, Size: 2, HasSigned: true,
				Type: "unsigned short", Name: "common_type"},
			{Pos: at("int common_pid", 5, 8), Decl: "int common_pid", Offset: 4, Size: 4, Signed: true, HasSigned: true,
				Type: "int", Name: "common_pid"},
			{Pos: at("int irq", 7, 8), Decl: "int irq", Offset: 8, Size: 4, Signed: true, HasSigned: true,
				Type: "int", Name: "irq"},
			{Pos: at("__data_loc", 8, 8), Decl: "__data_loc char[] name", Offset: 12, Size: 4, Signed: true,
				HasSigned: true,
				Loc:       LocData, Type: "char", Name: "name", Dims: []string{""}},
		},
		Print: &Print{Pos: at(`"irq`, 10, 12), Format: "irq=%d name=%s", Args: []Expr{
			&Member{Node: Node{at("REC", 10, 30)}, X: &Ident{Node: Node{at("REC", 10, 30)}, Name: "REC"}, Name: "irq",
				Arrow: true},
			&Call{Node: Node{at("__get_str", 10, 40)},
				Fun:  &Ident{Node: Node{at("__get_str", 10, 40)}, Name: "__get_str"},
				Args: []Expr{&Ident{Node: Node{at("name)", 10, 50)}, Name: "name"}}},
		}},
	}
	for name, src := range map[string]string{
		"as the kernel writes it": irqFormat,
		"no final newline":        strings.TrimSuffix(irqFormat, "\n"),
	} {
		got, errs := Parse("f", src)
		if errs.Err() != nil {
			t.Fatalf("%s: %v", name, errs)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	got, errs := Parse("f", []byte(strings.ReplaceAll(irqFormat, "\n", "\r\n")))
	if errs.Err() != nil {
		t.Fatalf("CRLF: %v", errs)
	}
	if d := cmp.Diff(want, got, samePlaces); d != "" {
		t.Errorf("CRLF: %s", d)
	}
}

// TestFieldShapes has a line for every shape of ftrace.md 3.2.
func TestFieldShapes(t *testing.T) {
	for _, tt := range []struct {
		decl, typ, name string
		dims            []string
		loc             Loc
	}{
		{decl: "u8 x", typ: "u8", name: "x"},
		{decl: "unsigned long long x", typ: "unsigned long long", name: "x"},
		{decl: "enum hrtimer_mode mode", typ: "enum hrtimer_mode", name: "mode"},
		{decl: "pid_t  \t prev_pid ", typ: "pid_t", name: "prev_pid"},
		{decl: "const char * p", typ: "const char *", name: "p"},
		{decl: "struct urb* urb", typ: "struct urb *", name: "urb"},
		{decl: "void *p", typ: "void *", name: "p"},
		{decl: "void ** p", typ: "void **", name: "p"},
		{decl: "const char *const * argv", typ: "const char *const *", name: "argv"},
		{decl: "const struct x *const attr", typ: "const struct x *const", name: "attr"},
		{decl: "void __seg_gs * ptr", typ: "void __seg_gs *", name: "ptr"},
		{decl: "__attribute__((user)) char *p", typ: "__attribute__((user)) char *", name: "p"},
		{decl: "char comm[16]", typ: "char", name: "comm", dims: []string{"16"}},
		{decl: "char comm[TASK_COMM_LEN]", typ: "char", name: "comm", dims: []string{"TASK_COMM_LEN"}},
		{decl: "char x[32 + 1]", typ: "char", name: "x", dims: []string{"32 + 1"}},
		{decl: "u8 x[(int)sizeof(struct x)]", typ: "u8", name: "x", dims: []string{"(int)sizeof(struct x)"}},
		{decl: "u8 x[a[1]]", typ: "u8", name: "x", dims: []string{"a[1]"}},
		{decl: "u32 x[4][8]", typ: "u32", name: "x", dims: []string{"4", "8"}},
		{decl: "u32 buf[]", typ: "u32", name: "buf", dims: []string{""}},
		{decl: "unsigned args [ 6 ]", typ: "unsigned", name: "args", dims: []string{"6"}},
		{decl: "typeof(((struct x *)0)->y) z", typ: "typeof(((struct x *)0)->y)", name: "z"},
		{decl: "__data_loc char[] name", typ: "char", name: "name", dims: []string{""}, loc: LocData},
		{decl: "__data_loc unsigned long[] mask", typ: "unsigned long", name: "mask", dims: []string{""}, loc: LocData},
		{decl: "__data_loc cpumask_t mask", typ: "cpumask_t", name: "mask", loc: LocData},
		{decl: "__data_loc struct x *[] list", typ: "struct x *", name: "list", dims: []string{""}, loc: LocData},
		{decl: "__data_loc char[] arg[3]", typ: "char", name: "arg", dims: []string{"3", ""}, loc: LocData},
		{decl: "__rel_loc u8[] data", typ: "u8", name: "data", dims: []string{""}, loc: LocRel},
		{decl: "struct timespec ts", typ: "struct timespec", name: "ts"},
		{decl: "struct { int a; int b; } s", typ: "struct { int a; int b; }", name: "s"},
		{decl: "union orb orb", typ: "union orb", name: "orb"},
		{decl: "unsigned x:3", typ: "unsigned", name: "x"},
		{decl: "u64 rt.period", typ: "u64", name: "rt.period"},
		{decl: "void (*fn)(int)", typ: "void (*)(int)", name: "fn"},
		{decl: "int int", typ: "int", name: "int"},
		{decl: "int größe", typ: "int", name: "größe"},
	} {
		src := "name: x\nID: 1\nformat:\n\tfield:" + tt.decl + ";\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n"
		f, errs := Parse("f", src)
		if len(errs) > 0 || len(f.Fields) != 1 {
			t.Errorf("%s: %d fields, %v", tt.decl, len(f.Fields), errs)
			continue
		}
		got := f.Fields[0]
		want := &Field{Decl: foldBlanks(strings.TrimSpace(tt.decl)), Offset: 8, Size: 4, HasSigned: true,
			Loc: tt.loc, Type: tt.typ, Name: tt.name, Dims: tt.dims}
		if d := cmp.Diff(want, got, samePlaces, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: %s", tt.decl, d)
		}
	}
}

// TestFieldColumns covers the columns after the declaration, in new and very old kernels.
func TestFieldColumns(t *testing.T) {
	for _, tt := range []struct {
		line string
		want Field
	}{
		{"\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;", Field{Offset: 8, Size: 4, HasSigned: true, Signed: true}},
		{"\tfield:int x;\toffset:8;\tsize:4;", Field{Offset: 8, Size: 4}},
		{"\tfield special:int x;\toffset:8;\tsize:4;", Field{Offset: 8, Size: 4, Special: true}},
		{"field:int x; offset:8; size:4; signed:0", Field{Offset: 8, Size: 4, HasSigned: true}},
		{"\tfield:int x;\toffset:8;\tsize:0;\tsigned:0;\tlater:5;", Field{Offset: 8, HasSigned: true}},
		{"\tfield:int x;\toffset:2147483647;\tsize:2147483647;\tsigned:0;",
			Field{Offset: 1<<31 - 1, Size: 1<<31 - 1, HasSigned: true}},
	} {
		f, errs := Parse("f", "name: x\nID: 1\nformat:\n"+tt.line+"\n\nprint fmt: \"\"\n")
		if len(errs) > 0 || len(f.Fields) != 1 {
			t.Errorf("%s: %d fields, %v", tt.line, len(f.Fields), errs)
			continue
		}
		tt.want.Decl, tt.want.Type, tt.want.Name = "int x", "int", "x"
		if d := cmp.Diff(&tt.want, f.Fields[0], samePlaces); d != "" {
			t.Errorf("%s: %s", tt.line, d)
		}
	}
}

// TestPrintForms covers formats whose text is not plain C (ftrace.md 3.1, 3.5).
func TestPrintForms(t *testing.T) {
	for _, tt := range []struct {
		src, format string
		args        int
	}{
		{`"a"`, "a", 0},
		{`"a",`, "a", 0},
		{`"a", x,`, "a", 1},
		{`"a" "b", x, y`, "ab", 2},
		{"\"a\n\tb\n\", x", "a\n\tb\n", 1},
		{`"a\n\t\"%s\"", x`, "a\n\t\"%s\"", 1},
		{`"c=%x %s "%s" "%s"", a, b, c, d`, `c=%x %s "%s" "%s"`, 4},
		{`"d=%x "%s" f=%x", a, b, c`, `d=%x "%s" f=%x`, 3},
		{`""%s"", a`, `"%s"`, 1},
		{`"err="%s"`, `err="%s`, 0},
		{`"5" disk %d", x`, `5" disk %d`, 1},
		{`"%s", x ? "a "b"" : "c"`, "%s", 1},
		{`"name=("%s")", x`, `name=("%s")`, 1},
	} {
		p, err := ParsePrint(tt.src)
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		if p.Format != tt.format || len(p.Args) != tt.args {
			t.Errorf("%s: format %q with %d arguments, want %q with %d", tt.src, p.Format, len(p.Args), tt.format,
				tt.args)
		}
		back, err := ParsePrint(FormatPrint(p))
		if err != nil {
			t.Errorf("%s: printed as %s: %v", tt.src, FormatPrint(p), err)
		} else if d := cmp.Diff(p, back, samePlaces); d != "" {
			t.Errorf("%s: printed as %s: %s", tt.src, FormatPrint(p), d)
		}
	}
}

// TestErrors checks that an error has its position and loses only its part.
func TestErrors(t *testing.T) {
	edit := func(from, to string) string {
		if !strings.Contains(irqFormat, from) {
			t.Fatalf("no %q to replace", from)
		}
		return strings.Replace(irqFormat, from, to, 1)
	}
	for _, tt := range []struct {
		name, src string
		want      []string
		fields    int
		print     bool
	}{
		{"empty", "", []string{
			"f:1:1: error: expected a name: line [ftrace-head]",
			"f:1:1: error: expected an ID: line [ftrace-head]",
			"f:1:1: error: expected a format: line [ftrace-head]",
		}, 0, false},
		{"no name", edit("name: irq_handler_entry\n", ""),
			[]string{"f:1:1: error: expected a name: line [ftrace-head]"}, 4, true},
		{"empty name", edit(" irq_handler_entry", ""),
			[]string{"f:1:6: error: expected the name of the event after name: [ftrace-head]"}, 4, true},
		{"bad id", edit("141", "-1"),
			[]string{`f:2:5: error: expected the number of the event after ID:, found "-1" [ftrace-head]`}, 4, true},
		{"two ids", edit("ID: 141", "ID: 141\nID: 142"), []string{"f:3:5: error: second ID: line [ftrace-head]"}, 4,
			true},
		{"junk above", edit("format:", "what\nformat:"),
			[]string{`f:3:1: error: expected name:, ID: or format:, found "what" [ftrace-head]`}, 4, true},
		{"no format", edit("format:\n", ""), []string{"f:1:1: error: expected a format: line [ftrace-head]"}, 4, true},
		{"junk below", edit("\n\tfield:int irq", "\n  what\n\tfield:int irq"),
			[]string{`f:7:3: error: expected field: or print fmt:, found "what" [ftrace-field]`}, 4, true},
		{"cut declaration", edit("int irq;\toffset", "int irq\toffset"),
			[]string{"f:7:8: error: expected `; offset:` after the declaration \"int irq\\toffset:8;\\tsize:4;\\tsigned:1;\" [ftrace-field]"}, 3, true},
		{"bad offset", edit("offset:8", "offset:x"),
			[]string{`f:7:17: error: expected offset: and a number, found "offset:x;\tsize:4;\tsigned:1;" [ftrace-field]`}, 3, true},
		{"huge offset", edit("offset:8", "offset:2147483648"),
			[]string{`f:7:17: error: expected offset: and a number, found "offset:2147483648;\tsize:4;\tsigned:1;" [ftrace-field]`}, 3, true},
		{"no size", edit("\tsize:4;\tsigned:1;\n\n\tfield:int irq", "\n\n\tfield:int irq"),
			[]string{`f:5:33: error: expected size: and a number, found "" [ftrace-field]`}, 3, true},
		{"bad signed", edit("signed:1", "signed:2"),
			[]string{`f:5:42: error: expected signed: and 0 or 1, found "signed:2;" [ftrace-field]`}, 3, true},
		{"no name in the declaration", edit("int irq;", "int *;"),
			[]string{`f:7:8: error: declaration "int *" has no name [ftrace-field]`}, 3, true},
		{"no type", edit("int irq;", "irq;"), []string{`f:7:8: error: expected a type before the name "irq" [ftrace-field]`}, 3, true},
		{"brackets", edit("int irq;", "int irq]];"),
			[]string{`f:7:8: error: brackets of "int irq]]" do not match [ftrace-field]`}, 3, true},
		{"no print", edit("print fmt", "print"),
			[]string{`f:10:1: error: expected field: or print fmt:, found "print: \"irq=%d name=%s\", REC->irq, __get…" [ftrace-field]`}, 4, false},
		{"print without quotes", edit(`"irq=%d name=%s"`, "x"),
			[]string{`f:10:12: error: expected a format in quotes, found "x" [ftrace-print]`}, 4, false},
		{"open string", edit(`name=%s"`, "name=%s"),
			[]string{"f:10:12: error: string without closing quote [ftrace-print]"}, 4, false},
		{"open call", edit("str(name)", "str(name"),
			[]string{"f:10:54: error: expected `,` or `)`, found the end [ftrace-print]"}, 4, false},
		{"operand missing", edit("REC->irq", "REC->irq +"),
			[]string{`f:10:40: error: expected an expression, found "," [ftrace-print]`}, 4, false},
		{"odd character", edit("REC->irq", "REC->irq # 1"),
			[]string{"f:10:39: error: unexpected character '#' [ftrace-print]"}, 4, false},
		{"several faults", edit("offset:8", "offset:x") + ")", []string{
			`f:7:17: error: expected offset: and a number, found "offset:x;\tsize:4;\tsigned:1;" [ftrace-field]`,
			"f:11:1: error: expected the end, found \")\" [ftrace-print]",
		}, 3, false},
	} {
		f, errs := Parse("f", tt.src)
		var got []string
		for _, e := range errs {
			got = append(got, e.Error())
			if e.Pos.Offset < 0 || e.Pos.Offset > len(tt.src) {
				t.Errorf("%s: offset %d in %d bytes", tt.name, e.Pos.Offset, len(tt.src))
			}
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
		if len(f.Fields) != tt.fields || (f.Print != nil) != tt.print {
			t.Errorf("%s: %d fields and print %v, want %d and %v", tt.name, len(f.Fields), f.Print != nil, tt.fields,
				tt.print)
		}
	}
}

// TestExprErrors covers the messages of the expression parser.
func TestExprErrors(t *testing.T) {
	for src, want := range map[string]string{
		"":                           "1:1: error: expected an expression, found the end [ftrace-expr]",
		"a b":                        `1:3: error: expected the end, found "b" [ftrace-expr]`,
		"a ? b":                      "1:6: error: expected `:`, found the end [ftrace-expr]",
		"(a":                         "1:3: error: expected `)`, found the end [ftrace-expr]",
		"a[1":                        "1:4: error: expected `]`, found the end [ftrace-expr]",
		"a->1":                       `1:4: error: expected the name of a member, found "1" [ftrace-expr]`,
		"(int":                       "1:5: error: expected `)` after a type, found the end [ftrace-expr]",
		"(int)":                      "1:6: error: expected an expression, found the end [ftrace-expr]",
		"(struct)x":                  "1:8: error: expected the name of a struct or `{`, found \")\" [ftrace-expr]",
		"(struct x int)y":            `1:11: error: expected one type, found "int" [ftrace-expr]`,
		"(u8 int)y":                  "1:5: error: expected `)`, found \"int\" [ftrace-expr]",
		"(int (*)[3])y":              "1:9: error: expected `(` and parameters: pointers to arrays are not supported, found \"[\" [ftrace-expr]",
		"''":                         `1:1: error: expected one character of one byte between the quotes, found "''" [ftrace-expr]`,
		"'ab'":                       `1:1: error: expected one character of one byte between the quotes, found "'ab'" [ftrace-expr]`,
		"'a":                         "1:1: error: character without closing quote [ftrace-expr]",
		"if":                         `1:1: error: expected an expression, found "if" [ftrace-expr]`,
		"f({1, 2)":                   "1:8: error: expected `,` or `}`, found \")\" [ftrace-expr]",
		"f({.a.b = 1})":              "1:6: error: expected `=` after a designator, found \".\" [ftrace-expr]",
		"({ goto x; })":              `1:4: error: expected a statement (goto, typedef and asm are not supported), found "goto" [ftrace-expr]`,
		"({ int; })":                 `1:7: error: expected the name of a variable, found ";" [ftrace-expr]`,
		"({ for ({};;) x; })":        `1:9: error: expected an expression or a declaration, found "{" [ftrace-expr]`,
		"({ for (if (x) y; ;) x; })": "1:9: error: expected a declaration or an expression in for (…) [ftrace-expr]",
		"a\n + \n  ":                 "3:3: error: expected an expression, found the end [ftrace-expr]",
		"a + /* b":                   "1:5: error: comment without end [ftrace-expr]",
		"\"é\n\" + é + @":            "2:9: error: unexpected character '@' [ftrace-expr]",
	} {
		_, err := ParseExpr(src)
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", src, err, want)
		}
	}
}

func TestErrorsUnwrap(t *testing.T) {
	_, errs := Parse("f", "")
	var one diag.Diagnostic
	if !errors.As(errs.Err(), &one) || one.Code != CodeHead {
		t.Errorf("errors.As found %v", one)
	}
	if (diag.List{}).Err() != nil {
		t.Error("an empty list is an error")
	}
}

func ExampleParse() {
	file, errs := Parse("events/irq/irq_handler_entry/format", irqFormat)
	if err := errs.Err(); err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range file.Fields {
		fmt.Println(f.Offset, f.Size, f.Name)
	}
	fmt.Println(Format(file.Print.Args[1]))
	// Output:
	// 0 2 common_type
	// 4 4 common_pid
	// 8 4 irq
	// 12 4 name
	// __get_str(name)
}

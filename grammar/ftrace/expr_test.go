package ftrace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParseExpr shows the tree of every construct of ftrace.md 3.5, and checks that Format restores
// the same tree.
func TestParseExpr(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		// Names, numbers, members.
		{"REC", "REC"},
		{"REC->x", "(-> REC x)"},
		{"(REC)->x", "(-> REC x)"},
		{"REC->a.b->c", "(-> (. (-> REC a) b) c)"},
		{"REC->a[i+1][2]", "([] ([] (-> REC a) (+ i 1)) 2)"},
		{"REC->if", "(-> REC if)"},
		{"REC->struct.int", "(. (-> REC struct) int)"},
		{"&REC->a", "(& (-> REC a))"},
		{"*(u32 *)&x", "(* (cast u32* (& x)))"},
		{"(1).x", "(. 1 x)"},
		{"héé + 1", "(+ héé 1)"},

		// Unary and postfix.
		{"- -x", "(- (- x))"},
		{"-(-x)", "(- (- x))"},
		{"+ +x", "(+ (+ x))"},
		{"& &x", "(& (& x))"},
		{"!~-x", "(! (~ (- x)))"},
		{"--x--", "(-- (post-- x))"},
		{"- --x", "(- (-- x))"},
		{"x++ + ++y", "(+ (post++ x) (++ y))"},
		{"*p++", "(* (post++ p))"},
		{"(*p)++", "(post++ (* p))"},
		{"__extension__ x", "x"},

		// Conditionals group from the right; the middle is a full expression.
		{"a ? b : c ? d : e", "(? a b (? c d e))"},
		{"(a ? b : c) ? d : e", "(? (? a b c) d e)"},
		{"a ? b ? c : d : e", "(? a (? b c d) e)"},
		{"a ? b, c : d", "(? a (, b c) d)"},
		{"a ?: b", "(? a _ b)"},
		{"a ?: b ?: c", "(? a _ (? b _ c))"},
		{"a || b ? c : d", "(? (|| a b) c d)"},
		{"(a, b)", "(, a b)"},
		{"f((a, b), c)", "(call f (, a b) c)"},
		{"a = b = c", "(= a (= b c))"},
		{"(a = b) = c", "(= (= a b) c)"},
		{"a += b ? c : d", "(+= a (? b c d))"},
		{"a, b = c, d", "(, (, a (= b c)) d)"},

		// Casts (the typedef ambiguity).
		{"(int)x", "(cast int x)"},
		{"(unsigned long long)x + 1", "(+ (cast unsigned long long x) 1)"},
		{"(const struct page *)x", "(cast struct page* x)"},
		{"(void const **)x", "(cast void** x)"},
		{"(foo *)x", "(cast foo* x)"},
		{"(foo *)(x)", "(cast foo* x)"},
		{"(gfp_t)0x10u", "(cast gfp_t 0x10u)"},
		{"(foo)x", "(cast foo x)"},
		{"(foo)1", "(cast foo 1)"},
		{"(foo)'a'", "(cast foo '97')"},
		{"(foo)~x", "(cast foo (~ x))"},
		{"(foo)sizeof(int)", "(cast foo (sizeof int))"},
		{"(foo)-1", "(- foo 1)"},
		{"(foo)(x)", "(call foo x)"},
		{"(foo)&x", "(& foo x)"},
		{"(foo)*x", "(* foo x)"},
		{"(const foo)-1", "(cast foo (- 1))"},
		{"(u32)-1", "(cast u32 (- 1))"},
		{"(u32)(x)", "(cast u32 x)"},
		{"(u32)&x", "(cast u32 (& x))"},
		{"(u32)*x", "(cast u32 (* x))"},
		{"(u32)+x", "(cast u32 (+ x))"},
		{"(pgoff_t)-x", "(cast pgoff_t (- x))"},
		{"( __be32)(REC->x)", "(cast __be32 (-> REC x))"},
		{"(bool)-x", "(cast bool (- x))"},
		{"(enum foo)x", "(cast enum foo x)"},
		{"(u8)(u16)x->y", "(cast u8 (cast u16 (-> x y)))"},
		{"(a) + b", "(+ a b)"},
		{"(a * b)", "(* a b)"},
		{"(u32 * b)", "(* u32 b)"},
		{"((struct page *)vmemmap_base) + REC->pfn", "(+ (cast struct page* vmemmap_base) (-> REC pfn))"},
		{"((struct x *)p)->y", "(-> (cast struct x* p) y)"},
		{"(typeof(x))y", "(cast (typeof x) y)"},
		{"(typeof(int *))y", "(cast (typeof (type int*)) y)"},
		{"(void (*)(int, char))p", "(cast voidfunc* p)"},
		{"(void __seg_gs *)p", "(cast void* p)"},
		{"(__attribute__((user)) char *)p", "(cast char* p)"},

		// sizeof.
		{"sizeof(int)", "(sizeof int)"},
		{"sizeof(struct page)", "(sizeof struct page)"},
		{"sizeof(u8)", "(sizeof u8)"},
		{"sizeof(foo)", "(sizeof-of foo)"},
		{"sizeof(foo *)", "(sizeof foo*)"},
		{"sizeof(u32[4])", "(sizeof u32[4])"},
		{"sizeof x", "(sizeof-of x)"},
		{"sizeof (x)->y", "(sizeof-of (-> x y))"},
		{"sizeof((int)x)", "(sizeof-of (cast int x))"},
		{"sizeof(int) - 1", "(- (sizeof int) 1)"},
		{"sizeof *p", "(sizeof-of (* p))"},
		{"(sizeof x)[1]", "([] (sizeof-of x) 1)"},
		{"sizeof(struct { int:(-!!(x)); })", "(sizeof struct{(decl int:(- (! (! x))))})"},
		{"sizeof(struct {_Static_assert(!(x), \"a\" \" b\");})", `(sizeof struct{(assert (! x) "a b")})`},
		{"sizeof(struct x { u8 a, *b[2]; struct { int c; }; })",
			"(sizeof struct x{(decl u8 a) (decl u8*[2] b) (decl struct{(decl int c)})})"},
		{"sizeof(union { foo *a; })", "(sizeof union{(decl foo* a)})"},
		{"sizeof(enum { A, B = 2, })", "(sizeof enum{(decl int A) (decl int B 2)})"},
		{"__alignof__(u64)", "(alignof u64)"},

		// Calls and tables.
		{"f()", "(call f)"},
		{"f(a)(b)", "(call (call f a) b)"},
		{"(*f)(x)", "(call (* f) x)"},
		{"f(a,)", "(call f a)"},
		{"__get_str(name)", "(call __get_str name)"},
		{"__get_str(int)", "(call __get_str int)"},
		{"__get_str(arg[1])", "(call __get_str ([] arg 1))"},
		{"__get_str(if[1])", "(call __get_str ([] if 1))"},
		{`__print_flags(x, "|", { })`, `(call __print_flags x "|" {})`},
		{`__print_flags(x, "|", {1, "a"}, { (2), "b" },{ -1, ((void *)0) })`,
			`(call __print_flags x "|" {1 "a"} {2 "b"} {(- 1) (cast void* 0)})`},
		{`__print_symbolic(x, { { 0, "a" }, {1,"b",} })`, `(call __print_symbolic x {{0 "a"} {1 "b"}})`},
		{"__builtin_types_compatible_p(typeof(x), int)",
			"(call __builtin_types_compatible_p (type (typeof x)) (type int))"},
		{"__builtin_types_compatible_p(u8, foo *)", "(call __builtin_types_compatible_p (type u8) (type foo*))"},
		{"__builtin_offsetof(struct x, a.b)", "(call __builtin_offsetof (type struct x) (. a b))"},
		{"container_of(p, struct x, m)", "(call container_of p (type struct x) m)"},
		{"_Generic(x, int: 1, char *: 2, default: 3)", "(generic x int:1 char*:2 default:3)"},

		// Compound literals and initialisers.
		{"((ktime_t){ .tv64 = REC->x }).tv64", "(. (lit ktime_t {.tv64=(-> REC x)}) tv64)"},
		{"(foo){ 1 }", "(lit foo {1})"},
		{"(struct x){ a: 1, [2] = 3, [4 ... 5] = { 6 } }", "(lit struct x {.a=1 [2]=3 [4..5]={6}})"},
		{"(int[]){ 1, 2 }[i]", "([] (lit int[_] {1 2}) i)"},
		{"sizeof (u8[2]){ 1 }", "(sizeof-of (lit u8[2] {1}))"},

		// Literals.
		{`"a" "b" "c"`, `"abc"`},
		{`"%" "d"`, `"%d"`},
		{`""`, `""`},
		{`"\n\t\\\"\'\?\x41\x4a4B\101\0\1011\e\q"`, `"\n\t\\\"'?AKA\x00A1\x1bq"`},
		{"\"a\\\nb\"", `"ab"`},
		{"\"a\n\tb\"", `"a\n\tb"`},
		{`'a'`, "'97'"}, {`'\''`, "'39'"}, {`'"'`, "'34'"}, {`'\n'`, "'10'"}, {`'\377'`, "'255'"}, {`'\0'`, "'0'"},
		{"a /* b */ + c", "(+ a c)"},
	} {
		x, err := ParseExpr(tt.src)
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		if got := sexpr(x); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.src, got, tt.want)
		}
		roundTrip(t, x)
	}
}

// roundTrip checks that the printed form of x is parsed as x.
func roundTrip(t *testing.T, x Expr) {
	t.Helper()
	text := Format(x)
	back, err := ParseExpr(text)
	if err != nil {
		t.Errorf("%s: printed as %s, which does not parse: %v", sexpr(x), text, err)
		return
	}
	if d := cmp.Diff(x, back, samePlaces); d != "" {
		t.Errorf("%s: printed as %s, which is another tree:\n%s", sexpr(x), text, d)
	}
}

// TestStatements covers the statements between `({` and `})`.
func TestStatements(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"x;", "(do x)"},
		{";;x;;", "(do x)"},
		{"", "(do)"},
		{"int x;", "(do (decl int x))"},
		{"const char *s = \"a\"; s;", `(do (decl char* s "a") s)`},
		{"unsigned long a = 1, *b, c[2] = { 1, 2 };",
			"(do (decl unsigned long a 1) (decl unsigned long* b) (decl unsigned long[2] c {1 2}))"},
		{"static const struct trace_print_flags s[] = { { 1, \"A\" }, { -1, ((void *)0) } };",
			`(do (static struct trace_print_flags[_] s {{1 "A"} {(- 1) (cast void* 0)}}))`},
		{"foo x = 1;", "(do (decl foo x 1))"},
		{"foo *x = y;", "(do (decl foo* x y))"},
		{"const foo *x;", "(do (decl foo* x))"},
		{"u8 *x;", "(do (decl u8* x))"},
		{"foo * x;", "(do (* foo x))"},
		{"(foo * x) = 1;", "(do (= (* foo x) 1))"},
		{"foo * x == 1;", "(do (== (* foo x) 1))"},
		{"void (*f)(int) = g;", "(do (decl voidfunc* f g))"},
		{"__auto_type x = 1; typeof(x) y = x;", "(do (decl __auto_type x 1) (decl (typeof x) y x))"},
		{"extern void die(void) __attribute__((__error__(\"no (\"))); die();",
			"(do (extern voidfunc die) (call die))"},
		{"if (a) b;", "(do (if a b _))"},
		{"if (a) b; else if (c) d; else { e; f; }", "(do (if a b (if c d (block e f))))"},
		{"if (a) { if (b) c; } else d;", "(do (if a (block (if b c _)) d))"},
		{"if (a) if (b) c; else d;", "(do (if a (if b c d) _))"},
		{"if (a) ; else b;", "(do (if a (block) b))"},
		{"for (i = 0; i < 3; i++) f(i);", "(do (for (= i 0) (< i 3) (post++ i) (call f i)))"},
		{"for (int i = 0, *p = q; ; ) ;", "(do (for (block (decl int i 0) (decl int* p q)) _ _ (block)))"},
		{"for (;;) break;", "(do (for _ _ _ break))"},
		{"while (x) { continue; }", "(do (for _ x _ (block continue)))"},
		{"do { x--; } while (x);", "(do (do-while _ x _ (block (post-- x))))"},
		{"do x--; while (x);", "(do (do-while _ x _ (post-- x)))"},
		{"switch (x) { case 1: case 3: s = \"1x \"; break; case 'a' ... 'z': { y; } default: s = \"\"; } s;",
			`(do (switch x (case 1) (case 3) (= s "1x ") break (case '97' '122') (block y) default: (= s "")) s)`},
		{"switch (x) { case A ? 1 : 2: y; }", "(do (switch x (case (? A 1 2)) y))"},
		{"return;", "(do return)"},
		{"return a, b;", "(do (return (, a b)))"},
		{"_Static_assert(x, \"m\"); _Static_assert(y); z;", `(do (assert x "m") (assert y _) z)`},
		{"({ a; }) + 1;", "(do (+ (do a) 1))"},
	} {
		src := "({ " + tt.src + " })"
		x, err := ParseExpr(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got := sexpr(x); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", src, got, tt.want)
		}
		roundTrip(t, x)
	}
}

// cRanks are the binary operators by precedence as in C11 section 6.5, loosest first.
var cRanks = [][]string{
	{","}, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=", ">>="}, {"||"}, {"&&"}, {"|"}, {"^"},
	{"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
}

// TestPrecedence tries every pair of binary operators: `a op1 b op2 c`.
func TestPrecedence(t *testing.T) {
	const assign = 1 // index of the operators that group from the right
	for i, ops1 := range cRanks {
		for j, ops2 := range cRanks {
			for _, op1 := range ops1 {
				for _, op2 := range ops2 {
					src := "a " + op1 + " b " + op2 + " c"
					want := list(op2, list(op1, "a", "b"), "c")
					if j > i || i == j && i == assign {
						want = list(op1, "a", list(op2, "b", "c"))
					}
					x, err := ParseExpr(src)
					if err != nil {
						t.Fatalf("%s: %v", src, err)
					}
					if got := sexpr(x); got != want {
						t.Errorf("%s: got %s, want %s", src, got, want)
					}
					if got := Format(x); got != strings.ReplaceAll(src, " ,", ",") {
						t.Errorf("%s: printed with parentheses that are not needed: %s", src, got)
					}
					other := "a " + op1 + " (b " + op2 + " c)"
					if x, err = ParseExpr(other); err != nil {
						t.Fatalf("%s: %v", other, err)
					}
					roundTrip(t, x)
				}
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, want := range []Number{
		{Text: "0", Value: 0},
		{Text: "10", Value: 10, Decimal: true},
		{Text: "0x1F", Value: 31},
		{Text: "0X1f", Value: 31},
		{Text: "017", Value: 15},
		{Text: "0b101", Value: 5},
		{Text: "1U", Value: 1, Decimal: true, Unsigned: true},
		{Text: "1ul", Value: 1, Decimal: true, Unsigned: true, Long: 1},
		{Text: "1LU", Value: 1, Decimal: true, Unsigned: true, Long: 1},
		{Text: "1ULL", Value: 1, Decimal: true, Unsigned: true, Long: 2},
		{Text: "1llu", Value: 1, Decimal: true, Unsigned: true, Long: 2},
		{Text: "0l", Value: 0, Long: 1},
		{Text: "0xffffffffffffffff", Value: 1<<64 - 1},
		{Text: "18446744073709551615", Value: 1<<64 - 1, Decimal: true},
	} {
		x, err := ParseExpr(want.Text)
		if err != nil {
			t.Errorf("%s: %v", want.Text, err)
			continue
		}
		if d := cmp.Diff(&want, x, samePlaces); d != "" {
			t.Errorf("%s: %s", want.Text, d)
		}
	}
	for src, want := range map[string]string{
		"18446744073709551616": "fit 64 bits",
		"0x10000000000000000":  "fit 64 bits",
		"08":                   "suffix",
		"0x":                   "expected digits",
		"1uu":                  "suffix",
		"1lL":                  "suffix",
		"1lul":                 "suffix",
		"12abc":                "suffix",
		"1.5":                  "floating point",
	} {
		_, err := ParseExpr(src)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", src, err, want)
		}
	}
}

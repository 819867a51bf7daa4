package trcfmt

import (
	"strings"
	"testing"
)

// TestRules has a line for every rule of aix.md 3.2 to 3.5 and 4.2, 4.3, 4.5, 4.16 about the kind
// of an element. Warnings are given by their codes.
func TestRules(t *testing.T) {
	for _, tt := range []struct{ src, want, warn string }{
		// Codes and words, aix.md 4.2 with its examples first.
		{"block number X4", "'block'_ 'number'_ X4", ""},
		{`U4\n`, "U4 NL", ""},
		{"LOOP $count {X0}", "(loop $count {X0})", ""},
		{"special_esdi_status=$stat", "'special_esdi_status=' $stat", ""},
		{"len=X4", "'len=X4'", "near"},
		{"X17", "'X17'", "near"},
		{"D3 X4", "'D3'_ X4", "near"},
		{`"X4" "D3"`, `"X4" "D3"`, ""},
		{"X4; a", "'X4;'_ 'a'", "near"},
		{"X4$a", "'X4' $a", "near"},
		{"B_FLAG0 Example E W x4 X", "'B_FLAG0'_ 'Example'_ 'E'_ 'W'_ 'x4'_ 'X'", ""},
		{`X4"a"X4{{$a}}`, `X4 "a" X4 (declare $a)`, ""},
		{"X4`a`X4\\\n\tX4", "X4 (bq \"a\") X4 X4", ""},
		{"X4-X4", "X4 '-X4'", ""},
		{"X4)", "X4 ')'", ""},
		{"DW SW XW UW oW TW EW PW BW FW", "DW SW XW UW oW TW EW PW 'BW'_ 'FW'", "near near"},
		{"G4 G4.3 O2.0 R0 R2.1 W1 W1.2", "G4 G4.3 O2.0 R0 'R2.1'_ W1 'W1.2'", "near near"},
		{"A16 A8.16 A0.16 B0.1 B2.3 B0.19 B0 B0.0", "A16 A8.16 A0.16 B0.1 B2.3 B0.19 'B0'_ 'B0.0'", "near near"},
		{"S1 S2 S4 S8 S3 X0 X16 X4.2", "S1 S2 S4 S8 'S3'_ X0 X16 'X4.2'", "near near"},
		{"D1 D2 D4 D8 D0 U1 o8 o3", "D1 D2 D4 D8 'D0'_ U1 o8 'o3'", "near near"},
		{"F4 F8 F2 T4 T8 T2 E1 E2 E4 E8 E3 P4 P8 P1", "F4 F8 'F2'_ T4 T8 'T2'_ E1 E2 E4 E8 'E3'_ P4 P8 'P1'",
			"near near near near"},
		{"HB HT H HX HB1", "HB HT 'H'_ 'HX'_ 'HB1'", ""},
		{"X04 A10000", "'X04'_ 'A10000'", "near near"},
		{`a\nb\tc`, "'a' NL 'b' TAB 'c'", ""},

		// Macros, casts and subroutines, aix.md 3.4 and 3.5.
		{"$D1 $_x9 $a.b", "$D1 $_x9 $a '.b'", ""},
		{"$a%X8 $a%B0.8 $a%W24.27 $a%D $a%U $a%S1 $a%UW $a%DW $a%XW $a%E4 $a%o2 $a%T4 $a%A8.16", // the casts of 3.4
			"$a%X8 $a%B0.8 $a%W24.27 $a%D $a%U $a%S1 $a%UW $a%DW $a%XW $a%E4 $a%o2 $a%T4 $a%A8.16", ""},
		{"$a%X0 $a%X", "$a%X0 $a%X", ""},
		{"$n%D. $n%D, 1 a", "$n%D '.'_ (switch $n%D [1 'a'])", ""},
		{"$a%X17 $a%Q $a%G4 $a%W3 $a%HB", "$a%X2 $a%X2 $a%X2 $a%X2 $a%X2 'B'", "cast cast cast cast cast"},
		{"$a%DX4", "$a%D 'X4'", "cast near"},
		{"$a% $a%%", "$a '%'_ $a '%%'", ""},
		{"$ $", "'$'_ '$'", "near near"},
		{"$90F $abc $F5F1 $90 $90F%X4", "sub:90F sub:abc $F5F1 $90 $90F%X4", ""},
		{"{{ $abc = 1 }} $abc $90F", "(let $abc 1) $abc sub:90F", ""},
		{"$abc {{ $abc }}", "$abc (declare $abc)", ""},
		{"{{ f(abc) $abc }}", "(def f(abc) {$abc})", ""},
		{"$900, 1 $901, 2 $902 $903", "(switch $900 [1 sub:901] [2 sub:902]) sub:903", ""},
		{"{{ $x = $add + $90F }}", "(let $x ($add + $90F))", ""},

		// Strings and back quotes.
		{`"a\n\t\"\\b"`, `"a\\n\\t\"\\\\b"`, "escape escape"}, // exactly, aix.md 4.1 (a)
		{`"50\%"`, `"50\\%"`, ""},
		{"\"a\\\n b\"", `"a b"`, ""},
		{"\"\"", `""`, ""},
		{"`left $D1%X4 right X2,$D2.`", `(bq "left " $D1%X4 " right " X2 "," $D2 ".")`, ""},
		{"`len=X4 {X4} \"X4\" X4`", `(bq "len=X4 {" X4 "} \"" X4 "\" " X4)`, ""},
		{"`$5 $ a\\`b`", "(bq $5 \" $ a`b\")", ""},

		// Switches, aix.md 3.5, 4.3 and 4.16.
		{`X4, 1 one, 0x2 "two", \* { X4 \n } next`, `(switch X4 [1 'one'] [0x2 "two"] [any {X4 NL}]) 'next'`, ""},
		{"B0.1, 1 B_FLAG0 \\\nB0.1, 1 B_FLAG1", "(switch B0.1 [1 'B_FLAG0'_]) (switch B0.1 [1 'B_FLAG1'])", ""},
		{"HT & 0x07, 2 a", "(switch HT&0x07 [2 'a'])", ""},
		{"$HD&FF,1 a", "(switch $HD&FF [1 'a'])", ""},
		{"X4 & y", "X4 '&'_ 'y'", "near"},
		{"X4 & $m, 1 a", "X4 '&'_ (switch $m [1 'a'])", "near"},
		{`A4, abcd "x", "e f" y`, `(switch A4 [abcd "x"] ["e f" 'y'])`, ""},
		{"U1,1{\"r\"U2,0 ok,1{bad}},2{w}", `(switch U1 [1 {"r" (switch U2 [0 'ok'] [1 {'bad'}])}] [2 {'w'}])`, ""},
		{"X1, 1 X4, 2 \\n, 3 \\t, 4 $90F, 5 flih(), 6 `a`",
			`(switch X1 [1 X4] [2 NL] [3 TAB] [4 sub:90F] [5 (call flih)] [6 (bq "a")])`, ""},
		{"X1, 1 a$b", "(switch X1 [1 'a']) $b", "result"},
		{"X1, 1 a , 2 b", "(switch X1 [1 'a'_] [2 'b'])", ""},
		{"X1, 1 {{ $a = 1 }}, 2 {}", "(switch X1 [1 (let $a 1)] [2 {}])", ""},
		{"X1, 1 a, X4 b", "(switch X1 [1 'a'] [X4 'b'])", "near"},

		// LOOP and BITFLAGS.
		{"LOOP U2 { U1 }", "(loop U2 {U1})", ""},
		{"LOOP $n%D {{{ $i = 1 }} a}", "(loop $n%D {(let $i 1) 'a'})", ""},
		{"LOOPS loop", "'LOOPS'_ 'loop'", ""},
		{`BITFLAGS X4, 1 "a" "b", 0x2 "c", o4 "d", & F0 10 "e" "f"`,
			`(bits X4 [1 "a" "b"] [0x2 "c"] [o4 "d"] [&F0 10 "e"]) "f"`, ""},
		{`BITFLAGS $f,1 a`, `(bits $f [1 "a"])`, "bitflags"},

		// Assignments, expressions, functions and calls, aix.md 3.5, 4.5 and 4.16.
		{"{{ $dog = 7 + 6 }} {{ $cat = $dog * 2 }} $dog $cat", "(let $dog (7 + 6)) (let $cat ($dog * 2)) $dog $cat",
			""},
		{"{{$x=X4+1*HT&0x7-$y/2}}", "(let $x (((((X4 + 1) * HT) & 0x7) - $y) / 2))", ""},
		{"{{ $x = f($y)+1 }} {{ f(a) $a }}", "(let $x ((call f $y) + 1)) (def f(a) {$a})", ""},
		{"{{ f(a, $b) $a, 1 { x } }} f(X4, $D1 & 3)", "(def f(a b) {(switch $a [1 {'x'_}])}) (call f X4 ($D1 & 3))",
			""},
		{"{{ f() LOOP X1 {LOOP X1 {a}}}} f()", "(def f() {(loop X1 {(loop X1 {'a'})})}) (call f)", ""},
		{`"t=" starttimer(0x010,1) endtimer(0x010, 1)x`, `"t=" (call starttimer 0x010 1) (call endtimer 0x010 1) 'x'`,
			""},
		{"write(2) flih ()", "'write(2)'_ 'flih'_ '()'", "near"},
		{"op=flih()", "'op=flih()'", "near"},
		{"vpagetofilename($p,$s)", "(call vpagetofilename $p $s)", ""},
	} {
		src := "900 1.0 x " + tt.src
		file, errs := Parse("f", []byte(src))
		if errs.Err() != nil {
			t.Errorf("%s: %v", tt.src, errs)
			continue
		}
		if got := show(file.Stanzas[0].Nodes); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.src, got, tt.want)
		}
		var warn []string
		for _, e := range errs {
			warn = append(warn, strings.TrimPrefix(e.Code, "trcfmt-"))
		}
		if got := strings.Join(warn, " "); got != tt.warn {
			t.Errorf("%s: warnings %q, want %q:\n%v", tt.src, got, tt.warn, errs)
		}
		checkFile(t, src)
	}
}

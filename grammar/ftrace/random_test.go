package ftrace

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// grammarOf generates C. Each name has several alternatives. Words in capitals are names again. The
// fuzzer rarely writes balanced statements; this grammar writes nothing else.
var grammarOf = map[string][]string{
	"EXPR": {
		"ATOM", "ATOM", "ATOM", "EXPR OP EXPR", "EXPR OP EXPR", "( EXPR )", "EXPR ? EXPR : EXPR", "EXPR ?: EXPR",
		"PRE EXPR", "EXPR ++",
		"EXPR [ EXPR ]", "EXPR . w", "EXPR -> int", "( TYPE ) EXPR", "( TYPE ) EXPR", "( foo ) EXPR", "( u8 ) EXPR",
		"sizeof EXPR", "sizeof ( TYPE )",
		"sizeof ( EXPR )", "EXPR ( EXPR )", "f ( ARG , ARG )", "( TYPE ) { ELEM , ELEM }", "({ STMT STMT })",
		"_Generic ( EXPR , TYPE : EXPR , default : EXPR )",
		"__builtin_types_compatible_p ( TYPE , TYPE )", "__get_str ( int )",
	},
	"ATOM": {"x", "y", "foo", "u8", "size_t", "1", "0x1fUL", "'a'", "\"s\"", "\"a\" \"b\"", "\"q\\\"\\n\""},
	"OP": {"+", "-", "*", "/", "%", "<<", ">>", "<", ">=", "==", "!=", "&", "^", "|", "&&", "||", ",", "=", "+=",
		"<<="},
	"PRE": {"-", "+", "!", "~", "*", "&", "++", "--", "__extension__"},
	"TYPE": {
		"int", "unsigned long", "u8", "foo", "foo *", "u8 *", "struct x", "const char *", "const foo", "int [ EXPR ]",
		"foo [ 3 ]", "u8 * [ 2 ]", "const foo * [ 2 ]",
		"typeof ( EXPR )", "typeof ( TYPE )", "void ( * ) ( int )", "foo ( * ) ( )", "struct { MEMBER MEMBER }",
		"union x { MEMBER }", "enum { A , B = EXPR }",
	},
	"MEMBER": {"TYPE w ;", "int : 3 ;", "u8 * a , b ;", "_Static_assert ( EXPR , \"m\" ) ;", "foo ( * f ) ( ) ;",
		"foo * w ;"},
	"ARG": {"EXPR", "TYPE", "{ ELEM }", "{ }", "{ ELEM , ELEM , }"},
	"ELEM": {"EXPR", "EXPR", ". w = EXPR", "[ EXPR ] = EXPR", "[ 1 ... 2 ] = { ELEM }", "{ ELEM , ELEM }",
		"w : EXPR"},
	"STMT": {
		"EXPR ;", "EXPR ;", ";", "TYPE w ;", "TYPE w = EXPR ;", "static TYPE w = { ELEM } ;", "foo * w ;",
		"foo * w = EXPR ;", "( foo * w ) = 1 ;", "u8 * w ;",
		"int a , * b , c [ 2 ] ;", "foo ( * f ) ( ) ;", "{ STMT STMT }", "if ( EXPR ) STMT",
		"if ( EXPR ) STMT else STMT", "for ( EXPR ; EXPR ; EXPR ) STMT",
		"for ( int a = 1 , * b ; ; ) STMT", "for ( foo * a ; ; ) STMT", "while ( EXPR ) STMT",
		"do STMT while ( EXPR ) ;", "switch ( EXPR ) { case EXPR : STMT default : STMT }",
		"case 1 ... EXPR :", "break ;", "return EXPR ;", "extern int f ( void ) ;", "_Static_assert ( EXPR ) ;",
	},
}

func generate(r *rand.Rand, b *strings.Builder, word string, depth int) {
	alternatives, ok := grammarOf[word]
	if !ok {
		b.WriteString(word)
		b.WriteByte(' ')
		return
	}
	if depth <= 0 && word == "EXPR" {
		word, alternatives = "ATOM", grammarOf["ATOM"]
	}
	pick := alternatives[r.IntN(len(alternatives))]
	if depth <= 0 {
		pick = alternatives[0]
	}
	for _, w := range strings.Fields(pick) {
		generate(r, b, w, depth-1)
	}
}

// TestRandomTrees checks that generated text that parses survives Format.
func TestRandomTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parsed := 0
	const tries = 20000
	for range tries {
		var b strings.Builder
		generate(r, &b, "EXPR", 1+r.IntN(7))
		x, err := ParseExpr(b.String())
		if err != nil {
			continue
		}
		parsed++
		text := Format(x)
		back, err := ParseExpr(text)
		if err != nil {
			t.Fatalf("%s\nprinted as %s, which does not parse: %v", b.String(), text, err)
		}
		if sexpr(x) != sexpr(back) {
			t.Fatalf("%s\nprinted as %s, which is another tree: %s", b.String(), text, cmp.Diff(x, back, samePlaces))
		}
	}
	if parsed < tries/2 {
		t.Errorf("only %d of %d generated expressions parse", parsed, tries)
	}
}

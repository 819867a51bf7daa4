package ftrace

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// samePlaces compares trees without their positions.
var samePlaces = cmp.Options{cmpopts.IgnoreTypes(lexer.Position{})}

// sexpr returns the structure of a tree: every operator with its operands in parentheses. It is
// independent of Format, which leaves parentheses out.
func sexpr(x Expr) string {
	switch x := x.(type) {
	case nil:
		return "_"
	case *Ident:
		return x.Name
	case *Number:
		return x.Text
	case *Char:
		return fmt.Sprintf("'%d'", x.Value)
	case *String:
		return fmt.Sprintf("%q", x.Value)
	case *Unary:
		return list(x.Op, sexpr(x.X))
	case *Postfix:
		return list("post"+x.Op, sexpr(x.X))
	case *Binary:
		return list(x.Op, sexpr(x.X), sexpr(x.Y))
	case *Cond:
		return list("?", sexpr(x.If), sexpr(x.Then), sexpr(x.Else))
	case *Cast:
		return list("cast", stype(x.Type), sexpr(x.X))
	case *Sizeof:
		word := "sizeof"
		if x.Alignof {
			word = "alignof"
		}
		if x.Type != nil {
			return list(word, stype(x.Type))
		}
		return list(word+"-of", sexpr(x.X))
	case *Index:
		return list("[]", sexpr(x.X), sexpr(x.I))
	case *Member:
		if x.Arrow {
			return list("->", sexpr(x.X), x.Name)
		}
		return list(".", sexpr(x.X), x.Name)
	case *Call:
		return list("call", append([]string{sexpr(x.Fun)}, sexprs(x.Args)...)...)
	case *InitList:
		parts := []string{}
		for _, e := range x.Elems {
			s := sexpr(e.Value)
			switch {
			case e.Field != "":
				s = "." + e.Field + "=" + s
			case e.Last != nil:
				s = "[" + sexpr(e.Index) + ".." + sexpr(e.Last) + "]=" + s
			case e.Index != nil:
				s = "[" + sexpr(e.Index) + "]=" + s
			}
			parts = append(parts, s)
		}
		return "{" + strings.Join(parts, " ") + "}"
	case *CompoundLit:
		return list("lit", stype(x.Type), sexpr(x.Init))
	case *StmtExpr:
		return list("do", sstmts(x.Stmts)...)
	case *TypeExpr:
		return list("type", stype(x.Type))
	case *Generic:
		parts := []string{sexpr(x.X)}
		for _, a := range x.Arms {
			t := "default"
			if a.Type != nil {
				t = stype(a.Type)
			}
			parts = append(parts, t+":"+sexpr(a.Value))
		}
		return list("generic", parts...)
	}
	return fmt.Sprintf("%T", x)
}

func list(head string, parts ...string) string {
	return "(" + strings.Join(append([]string{head}, parts...), " ") + ")"
}

func sexprs(xs []Expr) []string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = sexpr(x)
	}
	return out
}

func stype(t *TypeName) string {
	s := t.Base
	if t.Typeof != nil {
		s = list("typeof", sexpr(t.Typeof))
	}
	if t.Body != nil {
		parts := []string{}
		for _, d := range t.Body {
			parts = append(parts, sstmt(d))
		}
		for _, a := range t.Asserts {
			parts = append(parts, sstmt(a))
		}
		s += "{" + strings.Join(parts, " ") + "}"
	}
	s += strings.Repeat("*", t.Pointers)
	if t.Func {
		s += "func" + strings.Repeat("*", t.FuncPointers)
	}
	for _, d := range t.Dims {
		s += "[" + sexpr(d) + "]"
	}
	if t.Bits != nil {
		s += ":" + sexpr(t.Bits)
	}
	return s
}

func sstmts(list []Stmt) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = sstmt(s)
	}
	return out
}

func sstmt(s Stmt) string {
	switch s := s.(type) {
	case nil:
		return "_"
	case *Decl:
		parts := []string{stype(s.Type), s.Name}
		if s.Name == "" {
			parts = parts[:1]
		}
		if s.Init != nil {
			parts = append(parts, sexpr(s.Init))
		}
		head := "decl"
		if s.Static {
			head = "static"
		}
		if s.Extern {
			head = "extern"
		}
		return list(head, parts...)
	case *StaticAssert:
		return list("assert", sexpr(s.Cond), sexpr(s.Message))
	case *ExprStmt:
		return sexpr(s.X)
	case *Block:
		return list("block", sstmts(s.Stmts)...)
	case *If:
		return list("if", sexpr(s.Cond), sstmt(s.Then), sstmt(s.Else))
	case *For:
		head := "for"
		if s.Do {
			head = "do-while"
		}
		return list(head, sstmt(s.Init), sexpr(s.Cond), sexpr(s.Post), sstmt(s.Body))
	case *Switch:
		return list("switch", append([]string{sexpr(s.X)}, sstmts(s.Body)...)...)
	case *Case:
		if s.Value == nil {
			return "default:"
		}
		if s.High != nil {
			return list("case", sexpr(s.Value), sexpr(s.High))
		}
		return list("case", sexpr(s.Value))
	case *Jump:
		if s.X != nil {
			return list(s.Word, sexpr(s.X))
		}
		return s.Word
	}
	return fmt.Sprintf("%T", s)
}

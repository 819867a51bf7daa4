package trcfmt

import (
	"fmt"
	"strconv"
	"strings"
)

// show writes nodes in a separate notation, so that a mistake of Format cannot hide one of Parse:
// 'word' (with _ after it if a blank follows), (switch …), (loop …) and so on.
func show(nodes []Node) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = showNode(n)
	}
	return strings.Join(parts, " ")
}

func showNode(n Node) string {
	switch x := n.(type) {
	case *Code:
		return showCode(x)
	case *Macro:
		if x.Cast != nil {
			return "$" + x.Name + "%" + showCode(x.Cast)
		}
		return "$" + x.Name
	case *String:
		return strconv.Quote(x.Value)
	case *BackQuote:
		return "(bq " + show(x.Nodes) + ")"
	case *Word:
		if x.Blank {
			return "'" + x.Value + "'_"
		}
		return "'" + x.Value + "'"
	case *Newline:
		return "NL"
	case *Tab:
		return "TAB"
	case *Sub:
		return "sub:" + x.Hook.Text
	case *Switch:
		return showSwitch(x)
	case *Loop:
		return "(loop " + showNode(x.Subject) + " {" + show(x.Body) + "})"
	case *BitFlags:
		return showBitFlags(x)
	case *Assign:
		if x.Value == nil {
			return "(declare " + showNode(x.Macro) + ")"
		}
		return "(let " + showNode(x.Macro) + " " + showExpr(x.Value) + ")"
	case *FuncDef:
		return "(def " + x.Name + "(" + strings.Join(x.Params, " ") + ") {" + show(x.Body) + "})"
	case *Call:
		s := "(call " + x.Name
		for _, a := range x.Args {
			s += " " + showExpr(a)
		}
		return s + ")"
	case *Number:
		return x.Text
	case *Bad:
		return "bad" + strconv.Quote(x.Text)
	}
	return fmt.Sprintf("%T", n)
}

func showCode(c *Code) string {
	s := string(rune(c.Letter))
	if c.Kind != 0 {
		s += string(rune(c.Kind))
	}
	if c.Word {
		s += "W"
	}
	if c.HasSize {
		s += strconv.Itoa(c.Size)
	}
	if c.HasSize2 {
		s += "." + strconv.Itoa(c.Size2)
	}
	return s
}

func showSwitch(x *Switch) string {
	s := "(switch " + showNode(x.Subject)
	if x.Mask != nil {
		s += "&" + x.Mask.Text
	}
	for _, c := range x.Cases {
		match := c.Match
		if c.Any {
			match = "any"
		}
		if c.Quoted {
			match = strconv.Quote(match)
		}
		body := show(c.Body)
		if c.Braces {
			body = "{" + body + "}"
		}
		s += " [" + match + " " + body + "]"
	}
	return s + ")"
}

func showBitFlags(x *BitFlags) string {
	s := "(bits " + showNode(x.Subject)
	for _, f := range x.Flags {
		s += " ["
		if f.Mask != nil {
			s += "&" + f.Mask.Text + " "
		}
		s += f.Value.Text + " " + strconv.Quote(f.Set)
		if f.HasClear {
			s += " " + strconv.Quote(f.Clear)
		}
		s += "]"
	}
	return s + ")"
}

func showExpr(x *Expr) string {
	s := showNode(x.First)
	for _, o := range x.Rest {
		s = "(" + s + " " + string(rune(o.Op)) + " " + showNode(o.X) + ")"
	}
	return s
}

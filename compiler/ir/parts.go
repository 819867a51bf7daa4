package ir

// Parts calls visit for every value, region, text and statement directly in n, in the order of
// evaluation. n is such a node itself. Missing parts, such as the length of a Slice, are left out.
func Parts(n any, visit func(part any)) {
	switch n := n.(type) {
	case Value:
		valueParts(n, visit)
	case Region:
		regionParts(n, visit)
	case Text:
		textParts(n, visit)
	case Stmt:
		stmtParts(n, visit)
	}
}

func valueParts(v Value, visit func(any)) {
	switch v := v.(type) {
	case *Load:
		visit(v.From)
		visitValue(v.At, visit)
	case *Unary:
		visit(v.X)
	case *Binary:
		visit(v.X)
		visit(v.Y)
	case *Cond:
		visit(v.If)
		visit(v.Then)
		visit(v.Else)
	case *Convert:
		visit(v.X)
	case *Len:
		visit(v.Of)
	case *ToNUL:
		visit(v.Of)
	case *Func:
		for _, a := range v.Args {
			visit(a)
		}
	case *Bits:
		visit(v.From)
		visit(v.At)
		visit(v.Count)
	case *TextIs:
		visit(v.T)
	}
}

func regionParts(r Region, visit func(any)) {
	switch r := r.(type) {
	case *Slice:
		visit(r.Of)
		visitValue(r.At, visit)
		visitValue(r.Len, visit)
	case *CondBytes:
		visit(r.If)
		visit(r.Then)
		visit(r.Else)
	}
}

func textParts(t Text, visit func(any)) {
	switch t := t.(type) {
	case *CString:
		visit(t.Of)
	case *CondText:
		visit(t.If)
		visit(t.Then)
		visit(t.Else)
	case *Call:
		for _, a := range t.Args {
			switch a.(type) {
			case Value, Region, Text:
				visit(a)
			}
		}
	case *Program:
		visitBlock(t.Body, visit)
	}
}

func stmtParts(s Stmt, visit func(any)) {
	switch s := s.(type) {
	case *PutInt:
		visit(s.V)
		specParts(s.Spec, visit)
	case *PutText:
		visit(s.T)
		specParts(s.Spec, visit)
	case *Let:
		visit(s.V)
	case *LetBytes:
		visit(s.V)
	case *If:
		visit(s.Cond)
		visitBlock(s.Then, visit)
		visitBlock(s.Else, visit)
	case *Switch:
		visit(s.X)
		for _, c := range s.Cases {
			visitBlock(c.Body, visit)
		}
		visitBlock(s.Default, visit)
	case *Loop:
		visit(s.Cond)
		visitBlock(s.Body, visit)
	case *Require:
		visit(s.Of)
		visit(s.Bytes)
	case *Exit:
		visitValue(s.At, visit)
	case *Keep:
		visitValue(s.V, visit)
		if s.Of != nil {
			visit(s.Of)
		}
	}
}

func specParts(s Spec, visit func(any)) {
	visitValue(s.WidthArg, visit)
	visitValue(s.PrecArg, visit)
}

func visitValue(v Value, visit func(any)) {
	if v != nil {
		visit(v)
	}
}

func visitBlock(body []Stmt, visit func(any)) {
	for _, s := range body {
		visit(s)
	}
}

package trctest

import (
	"fmt"
	"strconv"

	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/render"
)

// decimal lists the macros that show decimal numbers (aix.md 4.6).
var decimal = map[string]bool{
	"PID": true, "TID": true, "CPUID": true, "PRI": true, "TOTALCPUS": true, "TRACEDCPUS": true, "REPORTEDCPUS": true,
	"HOOKENV": true, "TRACEENV": true, "WORDSIZE": true, "GENERIC": true, "LINENO": true, "RELLINENO": true,
}

var numbers = map[string]render.Fact{
	"PID": render.FactPID, "TID": render.FactTID, "CPUID": render.FactCPUID, "PRI": render.FactPriority,
	"TOTALCPUS": render.FactTotalCPUs, "TRACEDCPUS": render.FactTracedCPUs, "REPORTEDCPUS": render.FactReportedCPUs,
	"LARGEDATATYPES": render.FactLargeData, "LOGIDX": render.FactLogIndex, "LOGIDX0": render.FactLogIndex0,
	"TRACEID": render.FactTraceID, "TRACEENV": render.FactTraceEnv,
}

var texts = map[string]render.Fact{
	"SVC": render.FactSVC, "EXECPATH": render.FactExecPath, "LOGFILE": render.FactLogFile, "BUFF": render.FactBuffering,
	"IPADDR": render.FactIPAddress,
}

func (r *Reference) macro(m *grammar.Macro) {
	switch m.Name {
	case "BREAK":
		panic(stop{render.ExitBreak})
	case "SKIP", "NOPRINT":
		panic(stop{render.ExitSkip})
	case "STOP":
		panic(stop{render.ExitStop})
	case "ERROR":
		if r.nested == 0 {
			panic(stop{render.ExitError})
		}
		r.failed = true
		return
	case "DEFAULT":
		if s := r.stanzas[0x0080]; s != nil {
			r.template(s, r.vars, r.order)
		}
		return
	}
	r.show(r.macroValue(m))
}

func (r *Reference) macroValue(m *grammar.Macro) value {
	n := r.macroNumber(m.Name)
	if m.Cast == nil {
		v := value{number: n, isNumber: true, shown: fmt.Sprintf("%04X", n), blank: true}
		if decimal[m.Name] {
			v.shown = strconv.FormatUint(n, 10)
		}
		if m.Name == "TRACEID" {
			v.shown = fmt.Sprintf("%03X", n)
		}
		if id, ok := texts[m.Name]; ok {
			v.shown = string(r.world.FactText(nil, id))
			v.isText, v.text = true, v.shown
		}
		return v
	}
	return r.cast(n, m.Cast)
}

// cast evaluates $name%fmt (aix.md 3.4).
func (r *Reference) cast(n uint64, c *grammar.Code) value {
	plain := !c.HasSize && !c.Word // only a letter
	size := r.size(c)
	switch c.Letter {
	case 'S':
		r.bit = (r.bit + 7) / 8 * 8
		s := cut(r.take(int64(min(n, 1<<20))))
		return value{text: s, isText: true, shown: s}
	case 'A':
		return value{number: n & 0xffff, isNumber: true, text: fmt.Sprintf("%04X", n&0xffff),
			shown: fmt.Sprintf("%04X", n&0xffff), blank: true}
	case 'B':
		bits := min(8*c.Size+c.Size2, 64)
		if plain {
			bits = 8 * r.word()
		}
		if bits < 64 {
			n &= 1<<bits - 1
		}
		return value{number: n, isNumber: true, shown: fmt.Sprintf("%0*b", bits, n)}
	case 'W':
		lo, hi := min(c.Size, c.Size2, 63), min(max(c.Size, c.Size2), 63)
		n >>= lo
		if hi-lo < 63 {
			n &= 1<<(hi-lo+1) - 1
		}
		return value{number: n, isNumber: true, shown: fmt.Sprintf("%04X", n), blank: true}
	case 'X':
		if plain {
			return value{number: n, isNumber: true, shown: fmt.Sprintf("%04X", n), blank: true}
		}
		if size < 8 {
			n &= 1<<(8*size) - 1
		}
		return value{number: n, isNumber: true, shown: fmt.Sprintf("%0*X", 2*size, n), blank: c.Word || c.Size > 0}
	}
	if plain && (c.Letter == 'U' || c.Letter == 'o') {
		size = 8
	}
	b := make([]byte, size)
	for i := range b {
		b[size-1-i] = byte(n >> (8 * i))
	}
	return r.number(c, b)
}

func (r *Reference) macroNumber(name string) uint64 {
	if p := r.params[name]; p != nil {
		return *p
	}
	if p := r.vars[name]; p != nil {
		return *p
	}
	if id, ok := numbers[name]; ok {
		n := r.world.Fact(id)
		if name == "LOGIDX" {
			n += uint64(r.bit/8) + uint64(r.base)
		}
		return n
	}
	if name == "SVC" || name == "BUFF" || name == "IPADDR" || name == "EXECPATH" || name == "LOGFILE" {
		return r.world.Fact(texts[name])
	}
	if len(name) == 2 && name[1] >= '1' && name[1] <= '5' {
		size := r.word()
		if name[0] == 'L' {
			size = 8
		}
		at := r.word() + size*int(name[1]-'1')
		if (name[0] == 'D' || name[0] == 'L') && at+size <= len(r.data) {
			return big(r.data[at : at+size])
		}
		return 0
	}
	switch name {
	case "HD":
		if r.env.Hook64 {
			return big(r.data[6:8])
		}
		return big(r.data[2:4])
	case "HL":
		switch words := uint64(r.data[1] & 7); {
		case r.env.Hook64 || r.env.Generic:
			return big(r.data[2:4])
		case words > 0:
			return 4 * (words - 1)
		}
	case "WORDSIZE":
		return uint64(r.word())
	case "HOOKENV":
		return uint64(8 * r.word())
	case "GENERIC":
		if r.env.Generic {
			return 1
		}
	case "DATAPOINTER":
		return uint64(r.bit / 8)
	case "BASEPOINTER":
		return uint64(r.base)
	case "LINENO":
		return r.world.Fact(render.FactLine) + r.lines
	case "RELLINENO":
		return r.world.Fact(render.FactRelativeLine) + r.lines
	}
	return 0
}

// call runs a function of the file, or calls a built-in one of the world.
func (r *Reference) call(n *grammar.Call) {
	var args []uint64
	for _, a := range n.Args {
		if f := r.functions[n.Name]; f != nil && r.running(f) {
			return
		}
		args = append(args, r.expr(a))
	}
	if f := r.functions[n.Name]; f != nil {
		r.function(f, args)
		return
	}
	if n.Name == "setdelim" {
		r.tight = true
		return
	}
	silent := n.Name == "flih" || n.Name == "resume" || n.Name == "starttimer"
	if r.due && !silent {
		r.out, r.due = append(r.out, ' '), false
	}
	switch {
	case n.Name == "starttimer":
		r.out = render.StartTimer(r.out, r.world, args[0], args[1])
	case n.Name == "endtimer":
		r.out = render.EndTimer(r.out, r.world, args[0], args[1])
	case len(args) == 0:
		r.out = render.HookCall0(r.out, r.world, n.Name)
	case len(args) == 1:
		r.out = render.HookCall1(r.out, r.world, n.Name, args[0])
	case len(args) == 2:
		r.out = render.HookCall2(r.out, r.world, n.Name, args[0], args[1])
	case len(args) == 3:
		r.out = render.HookCall3(r.out, r.world, n.Name, args[0], args[1], args[2])
	}
}

func (r *Reference) running(f *grammar.FuncDef) bool {
	for _, a := range r.active {
		if a == f {
			return true
		}
	}
	return false
}

func (r *Reference) function(f *grammar.FuncDef, args []uint64) {
	if r.running(f) {
		return
	}
	outer := r.params
	r.params = map[string]*uint64{}
	for i, name := range f.Params {
		v := new(uint64)
		if i < len(args) {
			*v = args[i]
		}
		r.params[name] = v
	}
	r.active = append(r.active, f)
	r.nested++
	r.nodes(f.Body)
	r.nested--
	r.active = r.active[:len(r.active)-1]
	r.params = outer
}

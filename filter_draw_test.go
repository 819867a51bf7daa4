package tracec_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// A pool holds the parts of random filters: event types, their fields, and values of these.
type pool struct {
	types  []string // in the notation of filters
	fields map[string][]poolField
}

type poolField struct {
	name    string
	text    bool
	numbers []string
	texts   []string
}

// newPool collects the parts from a recording.
func newPool(t *testing.T, rec record.Recording, opts []tracec.Option) *pool {
	p := &pool{fields: map[string][]poolField{}}
	at := map[string]int{}
	for ev := range newReader(t, rec, append(opts, tracec.WithThreads())...).All() {
		key := regexp.QuoteMeta(ev.Type.Name)
		if ev.Type.System != "" {
			key = regexp.QuoteMeta(ev.Type.System) + "/" + key
		}
		if strings.ContainsAny(key, ",") || strings.Contains(strings.ReplaceAll(key, "::", ""), ":") ||
			strings.Count(key, "/") > 1 || ev.Type.Err != nil &&
			strings.Contains(ev.Type.Err.Error(), "nothing describes") {
			continue
		}
		if _, ok := p.fields[key]; !ok {
			p.types = append(p.types, key)
			p.fields[key] = []poolField{{name: "TIMESTAMP"}, {name: "CPU", numbers: []string{"0", "1"}},
				{name: "common_pid"}, {name: "COMM", text: true}}
		}
		p.add(at, key, "TIMESTAMP", fmt.Sprint(ev.Time), false)
		p.add(at, key, "common_pid", fmt.Sprint(ev.Task), false)
		p.add(at, key, "COMM", ev.Comm(), true)
		for f, v := range ev.Fields() {
			if v.Kind() == tracec.List {
				for i := range min(v.Len(), 3) {
					e := v.Elem(i)
					p.add(at, key, f.Name, string(render.CString(e.Append(nil))), e.Kind() == tracec.Text ||
						e.Kind() == tracec.Bytes)
				}
				continue
			}
			s := v.String()
			if v.Kind() == tracec.Float {
				if s = fmt.Sprintf("%.3f", v.Float()); strings.Trim(s, "-.0123456789") != "" {
					s = "0.5"
				}
			}
			p.add(at, key, f.Name, s, v.Kind() == tracec.Text || v.Kind() == tracec.Bytes)
			if name, ok := v.AppendName(nil); ok {
				p.add(at, key, f.Name, string(name), true)
			}
		}
	}
	return p
}

func (p *pool) add(at map[string]int, key, name, value string, text bool) {
	list := p.fields[key]
	i, ok := at[key+"\x00"+name]
	if !ok {
		i = slices.IndexFunc(list, func(f poolField) bool { return f.name == name })
		if i < 0 {
			list = append(list, poolField{name: name, text: text})
			i = len(list) - 1
		}
		at[key+"\x00"+name] = i
	}
	f := &list[i]
	if values := &f.numbers; !text && len(*values) < 8 {
		*values = append(*values, value)
	} else if text && len(f.texts) < 8 && !strings.ContainsAny(value, "\"\\") {
		f.texts = append(f.texts, value)
	}
	p.fields[key] = list
}

// filter makes a filter of one to three kinds of events.
func (p *pool) filter(r *rand.Rand) string {
	names := []string{p.types[r.IntN(len(p.types))]}
	key := names[0]
	for r.IntN(3) == 0 {
		names = append(names, p.types[r.IntN(len(p.types))])
	}
	if r.IntN(6) == 0 {
		names = []string{".*"}
	}
	return strings.Join(names, ",") + ": " + p.cond(r, key, 3)
}

func (p *pool) cond(r *rand.Rand, key string, depth int) string {
	if depth > 0 {
		switch r.IntN(5) {
		case 0:
			return "(" + p.cond(r, key, depth-1) + " && " + p.cond(r, key, depth-1) + ")"
		case 1:
			return "(" + p.cond(r, key, depth-1) + " || " + p.cond(r, key, depth-1) + ")"
		case 2:
			return "!(" + p.cond(r, key, depth-1) + ")"
		}
	}
	f := p.fields[key][r.IntN(len(p.fields[key]))]
	if f.text || len(f.texts) > 0 && r.IntN(2) == 0 { // or the name of a number
		value := "x"
		if len(f.texts) > 0 {
			value = f.texts[r.IntN(len(f.texts))]
		}
		switch r.IntN(4) {
		case 0:
			return fmt.Sprintf(`%s != "%s"`, quoteField(f.name), value)
		case 1:
			return fmt.Sprintf(`%s =~ "%s"`, quoteField(f.name), regexp.QuoteMeta(value[:len(value)/2]))
		case 2:
			return fmt.Sprintf(`%s ~ "*%s"`, quoteField(f.name),
				strings.NewReplacer("*", "?", "[", "?").Replace(value[len(value)/2:]))
		}
		return fmt.Sprintf(`%s == "%s"`, quoteField(f.name), value)
	}
	op := []string{"==", "!=", "<", "<=", ">", ">="}[r.IntN(6)]
	return p.number(r, key, f, 2) + " " + op + " " + p.number(r, key, f, 1)
}

// number draws a number for comparison with a field: the field itself, one of its values, or
// arithmetic.
func (p *pool) number(r *rand.Rand, key string, f poolField, depth int) string {
	switch n := r.IntN(8); {
	case n == 0 && depth > 0:
		op := []string{"+", "-", "*", "/", "%", "&", "|", "^"}[r.IntN(8)]
		return "(" + p.number(r, key, f, depth-1) + " " + op + " " + p.number(r, key, f, 0) + ")"
	case n == 1 && depth > 0:
		return []string{"-", "~"}[r.IntN(2)] + "(" + p.number(r, key, f, depth-1) + ")"
	case n <= 2:
		return []string{"0", "1", "-1", "2.5", "0x10"}[r.IntN(4)]
	case n == 3:
		other := p.fields[key][r.IntN(len(p.fields[key]))]
		if !other.text {
			return quoteField(other.name)
		}
	case depth < 2 && len(f.numbers) > 0:
		return f.numbers[r.IntN(len(f.numbers))]
	}
	return quoteField(f.name)
}

func quoteField(name string) string {
	if strings.Trim(name, "_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" &&
		(name[0] < '0' || name[0] > '9') {
		return name
	}
	return "`" + name + "`"
}

package babeltrace

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tracec/tracec/report"
)

// A Param is a parameter of a component, NAME=VALUE.
type Param struct{ Name, Value string }

// ParseParams parses the parameters of babeltrace2's --params: a comma-separated list. A value in
// double quotes may have commas and the escapes \" and \\.
func ParseParams(text string) (list []Param, err error) {
	for rest := text; rest != ""; {
		name, after, ok := strings.Cut(rest, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("want NAME=VALUE, not %q", rest)
		}
		value, next, err := cutValue(strings.TrimLeft(after, " "))
		if err != nil {
			return nil, err
		}
		list, rest = append(list, Param{name, value}), next
	}
	return list, nil
}

// cutValue cuts a value from the parameters after it.
func cutValue(text string) (value, rest string, err error) {
	if !strings.HasPrefix(text, `"`) {
		value, rest, _ = strings.Cut(text, ",")
		return strings.TrimSpace(value), rest, nil
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case c == '"':
			rest, ok := strings.CutPrefix(strings.TrimLeft(text[i+1:], " "), ",")
			if !ok && rest != "" {
				return "", "", fmt.Errorf("want a comma before %q", rest)
			}
			return b.String(), rest, nil
		default:
			b.WriteByte(c)
		}
	}
	return "", "", fmt.Errorf("%s: the quotes do not end", text)
}

// switches are the parameters of sink.text.pretty that are on or off.
var switches = map[string]func(*Options, bool){
	"clock-cycles":  func(o *Options, on bool) { o.Times.Cycles = on },
	"clock-date":    func(o *Options, on bool) { o.Times.Date = on },
	"clock-seconds": func(o *Options, on bool) { o.Times.Seconds = on },
	"clock-gmt": func(o *Options, on bool) {
		if o.Times.Zone = nil; on {
			o.Times.Zone = time.UTC
		}
	},
	"no-delta":         func(o *Options, on bool) { o.Times.NoDelta = on },
	"print-enum-flags": func(o *Options, on bool) { o.FlagLabels = on },
	"verbose":          func(*Options, bool) {}, // it does not affect lines
}

// SetParams sets the parameters of sink.text.pretty, other than path and color. The defaults of
// names and fields come first, wherever they are in the list.
func (o *Options) SetParams(list []Param) error {
	for _, p := range list {
		show := p.Value == "show"
		switch isDefault := p.Name == "name-default" || p.Name == "field-default"; {
		case isDefault && !show && p.Value != "hide":
			return report.Usagef("%s=%s: want show or hide", p.Name, p.Value)
		case p.Name == "name-default":
			o.Names = Names{show, show, show, show}
		case p.Name == "field-default":
			o.Fields = Fields{show, show, show, show, show, show, show}
		}
	}
	for _, p := range list {
		if p.Name == "name-default" || p.Name == "field-default" {
			continue
		}
		on, err := parseSwitch(p)
		if err != nil {
			return err
		}
		name, isName := strings.CutPrefix(p.Name, "name-")
		field, isField := strings.CutPrefix(p.Name, "field-")
		set := switches[p.Name]
		switch {
		case set != nil:
			set(o, on)
		case isName && o.Names.set(name, on), isField && o.Fields.set(field, on):
		default:
			return report.Usagef("sink.text.pretty has no parameter %s here", p.Name)
		}
	}
	return nil
}

// IsTrue reports whether the value of a parameter is one of the words for true.
func IsTrue(value string) bool { return slices.Contains([]string{"yes", "YES", "true", "TRUE"}, value) }

// IsFalse reports whether the value of a parameter is one of the words for false.
func IsFalse(value string) bool {
	return slices.Contains([]string{"no", "NO", "false", "FALSE"}, value)
}

func parseSwitch(p Param) (on bool, err error) {
	switch {
	case IsTrue(p.Value):
		return true, nil
	case IsFalse(p.Value):
		return false, nil
	}
	return false, report.Usagef("%s=%s: want yes or no", p.Name, p.Value)
}

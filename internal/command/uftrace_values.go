package command

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// The values of uftrace's options. For wrong values uftrace prints a warning and continues without
// the option. These functions return an error, because the output would not be as requested.

func (u *uftraceFlags) colorOf(s string) error {
	switch s {
	case "yes", "true", "1", "on":
		u.terminal.color = "yes"
	case "no", "false", "0", "off":
		u.terminal.color = "no"
	case "auto":
		u.terminal.color = ""
	default:
		return errors.New("want yes, no or auto")
	}
	return nil
}

func (u *uftraceFlags) demangle(s string) error {
	switch s {
	case "simple", "yes", "true", "1", "on":
		u.opening.demangle = "simple"
	case "full":
		u.opening.demangle = "full"
	case "no", "false", "0", "off":
		u.opening.demangle = "no"
	default:
		return errors.New("want simple, full or no")
	}
	return nil
}

// likeOf sets --like. Its value is checked after opening the recording.
func (u *uftraceFlags) likeOf(s string) error {
	u.opening.like = s
	return nil
}

func (u *uftraceFlags) matchOf(s string) error {
	match, ok := map[string]callstack.Syntax{"regex": callstack.Regex, "glob": callstack.Glob,
		"simple": callstack.Simple}[s]
	if !ok {
		return errors.New("want regex, glob or simple")
	}
	u.play.Functions.Match = match
	return nil
}

// traceOf sets --trace, which replaces --disable in uftrace 0.14.
func (u *uftraceFlags) traceOf(s string) error {
	if s != "on" && s != "off" {
		return errors.New("want on or off")
	}
	u.play.Functions.Disable = s == "off"
	return nil
}

// notrace converts -N a to -F !a, as uftrace does. If both name a function, the later one counts.
// As in uftrace, -N "a;b" is -F "!a;b", which shows b.
func (u *uftraceFlags) notrace(s string) error {
	u.play.Functions.Filters = append(u.play.Functions.Filters, "!"+s)
	return nil
}

func (u *uftraceFlags) formatOf(s string) error {
	switch s {
	case "normal":
	case "csv":
	case "chrome":
		u.formats.chrome = true
	case "flame-graph":
		u.formats.flame = true
	case "graphviz":
		u.formats.graphviz = true
	case "mermaid":
		u.formats.mermaid = true
	default:
		return errors.New("want normal or csv; for dump, chrome, flame-graph, graphviz or mermaid")
	}
	u.summary.Table.CSV = s == "csv"
	return nil
}

// number parses a whole number of at least least.
func (u *uftraceFlags) number(to *int, least int) func(string) error {
	return func(s string) error {
		v, err := strconv.ParseInt(s, 0, 32)
		if err != nil || int(v) < least {
			return fmt.Errorf("want a number of at least %d", least)
		}
		*to = int(v)
		return nil
	}
}

// maxColumnOffset limits the indentation that each further thread adds.
const maxColumnOffset = 256

// numberTo is number with a limit, for values that determine memory use.
func (u *uftraceFlags) numberTo(to *int, least, most int) func(string) error {
	return func(s string) error {
		v, err := strconv.ParseInt(s, 0, 32)
		if err != nil || int(v) < least || int(v) > most {
			return fmt.Errorf("want a number from %d to %d", least, most)
		}
		*to = int(v)
		return nil
	}
}

// timeFilter sets -t. As in uftrace, only the last of -t and -r has an effect.
func (u *uftraceFlags) timeFilter(s string) error {
	if u.play.Scope.Range != (callstack.Range{}) {
		u.play.Scope.Range, u.times.overruled = callstack.Range{},
			"--time-range is ignored: --time-filter follows it"
	}
	return u.durationOf(&u.play.Limits.Time)(s)
}

func (u *uftraceFlags) durationOf(to *uint64) func(string) error {
	return func(s string) (err error) {
		*to, err = parseUnits(s)
		return err
	}
}

func (u *uftraceFlags) sizeFilter(s string) error {
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil || v == 0 {
		return errors.New("want a number of bytes")
	}
	u.play.Limits.Size = v
	return nil
}

func (u *uftraceFlags) tids(s string) error {
	for _, part := range strings.Split(s, ",") {
		v, err := strconv.ParseInt(part, 10, 32)
		if err != nil {
			return errors.New("want thread ids")
		}
		u.play.Scope.TIDs = append(u.play.Scope.TIDs, int32(v))
	}
	return nil
}

// timeRange parses FROM~TO: times in the format of -f time, or elapsed times with a unit. Either
// may be empty.
func (u *uftraceFlags) timeRange(s string) (err error) {
	if u.play.Limits.Time != 0 {
		u.play.Limits.Time, u.times.overruled = 0, "--time-filter is ignored: --time-range follows it"
	}
	from, to, ok := strings.Cut(s, "~")
	if !ok {
		return errors.New("want FROM~TO")
	}
	var r callstack.Range
	if r.From, r.FromElapsed, err = parseMoment(from); err != nil {
		return err
	}
	if r.To, r.ToElapsed, err = parseMoment(to); err != nil {
		return err
	}
	u.play.Scope.Range = r
	return nil
}

// parseMoment parses seconds of the recording's clock, or an elapsed time for parseUnits.
func parseMoment(s string) (ns uint64, elapsed bool, err error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, false, nil
	}
	if strings.Trim(s, "0123456789.") != "" {
		ns, err = parseUnits(s)
		return ns, ns != 0, err // 0us means no limit, as in uftrace
	}
	ns, err = scale(s, 1e9)
	return ns, false, err
}

// timeUnits are units of times, in ns.
var timeUnits = []struct {
	name string
	ns   uint64
}{{"nsec", 1}, {"ns", 1}, {"usec", 1e3}, {"us", 1e3}, {"msec", 1e6}, {"ms", 1e6}, {"sec", 1e9}, {"s", 1e9},
	{"min", 60e9}, {"m", 60e9}, {"h", 3600e9}}

// parseUnits parses a time such as 500, 2us or 1.5ms. Without a unit it is in ns.
func parseUnits(s string) (uint64, error) {
	s = strings.TrimSpace(s)
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	unit := strings.TrimSpace(s[len(digits):])
	if unit == "" {
		return scale(digits, 1)
	}
	for _, u := range timeUnits {
		if unit == u.name {
			return scale(strings.TrimSpace(digits), u.ns)
		}
	}
	return 0, errors.New("want one of the units ns, us, ms, s, m or h")
}

// scale multiplies a decimal number exactly. It truncates the result.
func scale(s string, by uint64) (uint64, error) {
	if strings.Trim(s, "0123456789.") != "" || len(s) > 40 { // no signs, exponents or slashes, and no endless digits
		return 0, errors.New("want a time such as 2us or 1.5ms")
	}
	v, ok := new(big.Rat).SetString(s)
	if !ok {
		return 0, errors.New("want a time such as 2us or 1.5ms")
	}
	v.Mul(v, new(big.Rat).SetFrac(new(big.Int).SetUint64(by), big.NewInt(1)))
	n := new(big.Int).Quo(v.Num(), v.Denom())
	if !n.IsUint64() || n.Uint64() > math.MaxInt64 {
		return 0, errors.New("time is too large")
	}
	return n.Uint64(), nil
}

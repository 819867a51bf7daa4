package gen

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
)

// initialisms are written in capitals, following Go style.
var initialisms = map[string]string{}

func init() {
	for _, s := range strings.Fields(`API ASCII BH BIO BPF BSS CPU CPUS CRC CSS DMA DNS ECN FD FDS FS GID GPU GUID
		HW ID IDS IO IOVA IP IPI IPV4 IPV6 IRQ IRQS KVM LRU MAC MM MMIO MMU MSI MSR NMI NUMA OOM PCI PFN PGID PID PIDS
		PMU QOS RCU RPC RX SCSI SID SSID TCP TGID TID TLB TTL TX UDP UID URI URL USB UUID VA VM VMA XDP XHCI`) {
		initialisms[strings.ToLower(s)] = s
	}
}

// goName makes an exported Go identifier from a name: prev_pid becomes PrevPID. It is not
// injective. A name without usable characters gives "X".
func goName(name string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !isAlnum(r) }) {
		if up, ok := initialisms[strings.ToLower(part)]; ok {
			b.WriteString(up)
			continue
		}
		b.WriteString(strings.ToUpper(part[:1]))
		b.WriteString(part[1:])
	}
	s := b.String()
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "X" + s
	}
	return s
}

// fieldName is goName for a field. Markers of LTTng list the names of bits after some:
// rw(SYNC,META) becomes Rw.
func fieldName(name string) string {
	if i := strings.IndexByte(name, '('); i > 0 && isAlnum(rune(name[i-1])) && strings.HasSuffix(name, ")") {
		name = name[:i]
	}
	return goName(name)
}

func isAlnum(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// lowerName is goName for an unexported identifier. The suffix makes it differ from every keyword.
func lowerName(name, suffix string) string {
	s := goName(name)
	i := 1
	for i < len(s) && s[i] >= 'A' && s[i] <= 'Z' && (i+1 == len(s) || s[i+1] < 'a' || s[i+1] > 'z') {
		i++
	}
	return strings.ToLower(s[:i]) + s[i:] + suffix
}

// packageName makes a package name and directory of a group: raw_syscalls becomes rawsyscalls.
func packageName(group string) string {
	var b strings.Builder
	for _, r := range group {
		if isAlnum(r) {
			b.WriteString(strings.ToLower(string(r)))
		}
	}
	s := b.String()
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "x" + s
	}
	if token.IsKeyword(s) || reservedDirs[s] {
		s += "events"
	}
	return s
}

// reservedDirs are names that mean something to the go command or that some system cannot have as a
// file.
var reservedDirs = map[string]bool{
	"init": true, "main": true, "internal": true, "vendor": true, "testdata": true, "documentation": true,
	"con": true, "prn": true, "aux": true, "nul": true, "com1": true, "com2": true, "com3": true, "com4": true, "lpt1": true,
	"lpt2": true, "lpt3": true,
}

// fingerprint distinguishes strings that an identifier cannot. It depends on s only, so it does not
// change with the other names.
func fingerprint(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:n])
}

// The names that generated packages declare themselves. TestReserved finds one that is not here.
var (
	decoderReserved = nameSet("Decoder", "Bind", "Package")
	methodReserved  = nameSet(vetNames...) // in the struct of an event: names with a signature that go vet insists on
)

// vetNames are methods whose signature go vet compares with the standard library, for any
// parameters (its check stdmethods).
var vetNames = []string{
	"GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "ReadByte", "ReadRune", "UnmarshalJSON", "UnmarshalXML", "UnreadByte",
	"UnreadRune", "WriteByte",
}

func nameSet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// eventNames gives every event its identifier. The package comment has the rules.
func eventNames(events []*ir.Event, split bool) []string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = goName(cmp.Or(e.Ident, e.Name))
	}
	retry := func(again func(e *ir.Event) string) {
		seen := make(map[string]int, len(names))
		for _, n := range names {
			seen[n]++
		}
		for i, n := range names {
			if seen[n] > 1 || decoderReserved[n] {
				names[i] = again(events[i])
			}
		}
	}
	if !split {
		retry(func(e *ir.Event) string { return goName(e.Group) + goName(e.Name) })
	}
	suffix := func(e *ir.Event) string { return goName(e.Name) + "X" + fingerprint(e.Group+":"+e.Name, 4) }
	retry(suffix)
	retry(suffix) // a name that looks like another one's suffixed form
	return names
}

// fieldNames gives the fields of one event their identifiers: the second of two equal ones gets a
// number. reserved are the methods of its struct.
func fieldNames(fields []string, reserved map[string]bool) []string {
	taken := make(map[string]bool, len(fields))
	names := make([]string, len(fields))
	for i, f := range fields {
		name := fieldName(f)
		if reserved[name] || name == "Common" || strings.HasPrefix(name, "CommonX") { // names that structs embed
			name += "Field"
		}
		for n := 2; taken[name]; n++ {
			name = strings.TrimSuffix(fieldName(f), "X") + "X" + strconv.Itoa(n)
		}
		taken[name] = true
		names[i] = name
	}
	return names
}

// Package name makes Go identifiers from the names in descriptions.
package name

import (
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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

// Exported makes an exported identifier from a name: prev_pid becomes PrevPID. It is not injective.
// A name without usable characters gives "X".
func Exported(name string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !IsAlnum(r) }) {
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

// Field is Exported for a field. Some markers of LTTng list the names of bits after the field's
// name: rw(SYNC,META) becomes Rw.
func Field(name string) string {
	if i := strings.IndexByte(name, '('); i > 0 && IsAlnum(rune(name[i-1])) && strings.HasSuffix(name, ")") {
		name = name[:i]
	}
	return Exported(name)
}

// Label returns the identifier of the label of an event. It is empty if the label has no character
// with which an identifier can begin. Words in capitals are written like others: PICK BEGIN becomes
// PickBegin.
func Label(label string) string {
	words := strings.FieldsFunc(label, func(r rune) bool { return !IsAlnum(r) })
	for i, w := range words {
		if !strings.ContainsFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' }) {
			words[i] = strings.ToLower(w)
		}
	}
	if len(words) == 0 || words[0][0] <= '9' {
		return ""
	}
	return Exported(strings.Join(words, " "))
}

// IsAlnum reports whether r is a letter or a digit of ASCII.
func IsAlnum(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// Lower is Exported for an unexported identifier. The suffix makes it differ from every keyword.
func Lower(name, suffix string) string {
	s := Exported(name)
	i := 1
	for i < len(s) && s[i] >= 'A' && s[i] <= 'Z' && (i+1 == len(s) || s[i+1] < 'a' || s[i+1] > 'z') {
		i++
	}
	return strings.ToLower(s[:i]) + s[i:] + suffix
}

// Package returns the package name and directory for a group: raw_syscalls becomes rawsyscalls.
func Package(group string) string {
	var b strings.Builder
	for _, r := range group {
		if IsAlnum(r) {
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

// reservedDirs are names with a meaning for the go command, or that cannot be file names on some
// system.
var reservedDirs = Set(
	"init", "main", "internal", "vendor", "testdata", "documentation",
	"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "lpt1", "lpt2", "lpt3",
)

// Set returns a set of names.
func Set(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// Fingerprint distinguishes strings that have the same identifier. It depends on s only, so it does
// not change with the other names.
func Fingerprint(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:n])
}

// Picker returns a function that makes a name different from all taken names, by a suffix that
// depends on a key.
func Picker(taken map[string]bool) func(name, key string) string {
	return func(name, key string) string {
		if taken[name] {
			name += "X" + Fingerprint(key, 4)
		}
		for taken[name] {
			name += "X"
		}
		taken[name] = true
		return name
	}
}

// Members returns identifiers for the fields of one struct. The second of two equal identifiers
// gets a number. Reserved names get a suffix.
func Members(fields []string, reserved func(string) bool) []string {
	taken := make(map[string]bool, len(fields))
	names := make([]string, len(fields))
	for i, f := range fields {
		name := Field(f)
		if reserved(name) {
			name += "Field"
		}
		for n := 2; taken[name]; n++ {
			name = strings.TrimSuffix(Field(f), "X") + "X" + strconv.Itoa(n)
		}
		taken[name] = true
		names[i] = name
	}
	return names
}

// WithStem puts a stem in front of a name. Exported names stay exported, and other names stay
// unexported. Without a stem, it returns the name.
func WithStem(stem, name string) string {
	switch {
	case stem == "":
		return name
	case token.IsExported(name):
		return withFirst(unicode.ToUpper, stem) + name
	}
	return withFirst(unicode.ToLower, stem) + withFirst(unicode.ToUpper, name)
}

func withFirst(change func(rune) rune, s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(change(r)) + s[n:]
}

// Systems and machines that the go command takes for build constraints in file names (go help
// buildconstraint).
var (
	systems = Set(strings.Fields(`linux windows darwin freebsd openbsd netbsd dragonfly solaris illumos aix plan9 js wasip1
		android ios hurd nacl zos`)...)
	machines = Set(strings.Fields(`386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm
		sparc64 riscv ppc`)...)
)

// Tags returns the build tags that the name of a Go file requires.
func Tags(file string) []string {
	base, _, _ := strings.Cut(file, ".")
	words := strings.Split(base, "_")[1:]
	n := len(words)
	switch {
	case n > 1 && systems[words[n-2]] && machines[words[n-1]]:
		return words[n-2:]
	case n > 0 && (systems[words[n-1]] || machines[words[n-1]]):
		return words[n-1:]
	}
	return nil
}

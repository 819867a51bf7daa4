package ftrace

import (
	"strconv"
	"strings"

	grammar "github.com/tracec/tracec/grammar/ftrace"

	"github.com/tracec/tracec/compiler/ir"
)

// A ctype holds the properties of a C type that rendering uses: size, sign and target of a pointer.
type ctype struct {
	kind   ckind
	size   int // bytes; for an array the size of the whole, 0 if unknown
	signed bool
	elem   *ctype // of pointers and arrays
	name   string // "struct page", for layouts known by name
	known  bool   // false for an unknown typedef: a cast to it keeps the operand's type
	// members are the members of a struct declared in place, or of a known struct.
	members []member
}

type ckind uint8

const (
	kInt ckind = iota
	kVoid
	kPointer
	kArray
	kStruct
)

// member is one member of a struct; Bits > 0 makes it a bit-field at bit Shift of the word.
type member struct {
	name        string
	offset      int
	t           *ctype
	shift, bits int
}

func intType(size int, signed bool) *ctype {
	return &ctype{kind: kInt, size: size, signed: signed, known: true}
}

// The most common integer types of expressions.
var (
	typeInt    = intType(4, true)
	typeUint   = intType(4, false)
	typeU64    = intType(8, false)
	typeS64    = intType(8, true)
	typeChar   = intType(1, true)
	typeByte   = intType(1, false)
	typeBool   = &ctype{kind: kInt, size: 1, known: true, name: "bool"}
	typeVoid   = &ctype{kind: kVoid, size: 1, known: true}
	typeOpaque = &ctype{kind: kStruct}
)

func pointerTo(t *ctype) *ctype { return &ctype{kind: kPointer, elem: t, known: true} }

func charPointer() *ctype { return pointerTo(typeChar) }

// value returns the IR type of an integer or pointer of C type t.
func (t *ctype) value(target ir.Target) ir.Type {
	if t.kind != kInt {
		return ir.Type{Size: int8(target.WordSize)}
	}
	return ir.Type{Size: int8(t.size), Signed: t.signed}
}

// fromIR returns the C type of an IR value.
func fromIR(t ir.Type) *ctype { return intType(int(t.Size), t.Signed) }

// sizeof returns the result of C's operator, and 1 for void and functions, as in GNU C.
func (t *ctype) sizeof(target ir.Target) int {
	if t.kind == kPointer {
		return target.WordSize
	}
	return t.size
}

// Sizes in bytes of the kernel's typedefs: negative is signed, wordS and wordU are a long.
// include/linux/types.h, include/uapi/asm-generic/posix_types.h.
const (
	wordU = 100
	wordS = -100
)

var typedefs = map[string]int{
	"char": -1, "signed char": -1, "unsigned char": 1, "u_char": 1, "uchar": 1,
	"short": -2, "short int": -2, "unsigned short": 2, "unsigned short int": 2, "ushort": 2, "u_short": 2,
	"signed short": -2, "short unsigned int": 2,
	"int": -4, "signed": -4, "signed int": -4, "unsigned": 4, "unsigned int": 4, "uint": 4, "u_int": 4,
	"long": wordS, "long int": wordS, "signed long": wordS, "unsigned long": wordU, "unsigned long int": wordU,
	"long unsigned int": wordU, "ulong": wordU, "u_long": wordU,
	"long long": -8, "long long int": -8, "signed long long": -8, "unsigned long long": 8,
	"unsigned long long int": 8, "long long unsigned int": 8,
	"u8": 1, "u16": 2, "u32": 4, "u64": 8, "s8": -1, "s16": -2, "s32": -4, "s64": -8,
	"__be16": 2, "__be32": 4, "__be64": 8, "__le16": 2, "__le32": 4, "__le64": 8, "__sum16": 2, "__wsum": 4,
	"bool": 1, "_Bool": 1, "pid_t": -4, "dev_t": 4, "mode_t": 2, "umode_t": 2, "fmode_t": 4, "gfp_t": 4,
	"uid_t": 4, "gid_t": 4, "qid_t": 4, "projid_t": 4, "kuid_t": 4, "kgid_t": 4, "ino_t": wordU,
	"loff_t": -8, "off_t": wordS, "sector_t": 8, "blkcnt_t": 8, "size_t": wordU, "ssize_t": wordS,
	"ktime_t": -8, "time64_t": -8, "time_t": wordS, "clock_t": wordS, "clockid_t": -4, "timer_t": -4,
	"uintptr_t": wordU, "intptr_t": wordS, "ptrdiff_t": wordS, "pgoff_t": wordU, "cycles_t": wordU,
	"phys_addr_t": wordU, "dma_addr_t": wordU, "resource_size_t": wordU, "irq_hw_number_t": wordU,
	"blk_status_t": 1, "blk_opf_t": 4, "blk_qc_t": 4, "rwf_t": -4, "nlink_t": 4, "key_t": -4, "key_serial_t": -4,
	"cputime_t": wordU, "vm_fault_t": 4, "isolate_mode_t": 4, "netdev_features_t": 8, "sa_family_t": 2,
	"pteval_t": wordU, "pmdval_t": wordU, "pudval_t": wordU, "p4dval_t": wordU, "pgdval_t": wordU,
	"swp_entry_t": wordU, "pci_power_t": -4, "slab_flags_t": 4, "poll_t": 4, "errseq_t": 4,
	"xfs_agnumber_t": 4, "xfs_agblock_t": 4, "xfs_agino_t": 4, "xfs_extlen_t": 4, "xfs_rgblock_t": 4,
	"xfs_rgnumber_t": 4, "xfs_ino_t": 8, "xfs_daddr_t": -8, "xfs_off_t": -8, "xfs_lsn_t": -8, "xfs_csn_t": -8,
	"xfs_fsblock_t": 8, "xfs_fileoff_t": 8, "xfs_filblks_t": 8, "xfs_rfsblock_t": 8, "xfs_rtblock_t": 8,
	"xfs_rtxlen_t": 8, "xfs_rtbxlen_t": 8, "xfs_extnum_t": 8, "xfs_nlink_t": 4, "xfs_dqid_t": 4, "xfs_dahash_t": 4,
	"ext4_fsblk_t": 8, "ext4_lblk_t": 4, "ext4_group_t": 4, "ext4_grpblk_t": -4, "tid_t": 4, "block_t": 4, "nid_t": 4,
	"OM_uint32": 4, "snd_pcm_uframes_t": wordU, "snd_pcm_sframes_t": wordS, "acpi_handle": wordU,
	"gpa_t": 8, "gva_t": wordU, "gfn_t": 8, "hpa_t": 8, "hfn_t": 8, "kvm_pfn_t": 8, "depot_stack_handle_t": 4,
}

// namedInt looks a type name up. It also knows the spellings of the user-space API (__u32,
// __kernel_pid_t, uint32_t).
func namedInt(base string, target ir.Target) (*ctype, bool) {
	n, ok := typedefs[base]
	if !ok {
		n, ok = typedefs[strings.TrimPrefix(strings.TrimPrefix(base, "__"), "kernel_")]
	}
	if !ok {
		n, ok = stdint(strings.TrimLeft(base, "_"))
	}
	switch {
	case !ok:
		return nil, false
	case base == "bool" || base == "_Bool":
		return typeBool, true
	case n == wordU:
		return intType(target.WordSize, false), true
	case n == wordS:
		return intType(target.WordSize, true), true
	case n < 0:
		return intType(-n, true), true
	}
	return intType(n, false), true
}

// stdint reads int32_t, uint_least8_t and their like.
func stdint(base string) (int, bool) {
	s, ok := strings.CutSuffix(base, "_t")
	if !ok {
		return 0, false
	}
	s, unsigned := strings.CutPrefix(s, "u")
	s, ok = strings.CutPrefix(s, "int")
	bits, err := strconv.Atoi(s)
	if !ok || err != nil || bits%8 != 0 || bits < 8 || bits > 64 || bits&(bits-1) != 0 {
		return 0, false
	}
	if unsigned {
		return bits / 8, true
	}
	return -bits / 8, true
}

// qualifiers are words of a declaration that do not affect the meaning of its bytes.
var qualifiers = map[string]bool{
	"const": true, "volatile": true, "__user": true, "__kernel": true, "__iomem": true, "__percpu": true,
	"__rcu": true, "__force": true, "__bitwise": true, "restrict": true, "__restrict": true, "static": true,
	"__attribute__((user))": true, "__seg_gs": true, "__seg_fs": true, "extern": true, "register": true,
}

// baseType returns the type that the words of a declaration name, stars excluded.
func baseType(words string, target ir.Target) *ctype {
	kept := make([]string, 0, 4)
	for w := range strings.FieldsSeq(words) {
		if !qualifiers[w] {
			kept = append(kept, w)
		}
	}
	base := strings.Join(kept, " ")
	if base == "void" {
		return typeVoid
	}
	if t, ok := namedInt(base, target); ok {
		return t
	}
	switch {
	case strings.HasPrefix(base, "enum "):
		return &ctype{kind: kInt, size: 4, known: true, name: base}
	case strings.HasPrefix(base, "struct "), strings.HasPrefix(base, "union "):
		return structType(base)
	}
	return &ctype{kind: kInt, size: 4, signed: true, name: base}
}

// typeOf resolves a type name of an expression.
func (l *lowerer) typeOf(n *grammar.TypeName) *ctype {
	var t *ctype
	switch {
	case n == nil:
		return typeInt
	case n.Typeof != nil:
		t = l.typeOfExpr(n.Typeof)
	case n.Body != nil:
		t = l.bodyType(n)
	default:
		t = baseType(n.Base, l.target)
	}
	for range n.Pointers {
		t = pointerTo(t)
	}
	for i := len(n.Dims) - 1; i >= 0; i-- {
		t = l.arrayOf(t, n.Dims[i])
	}
	return t
}

func (l *lowerer) arrayOf(elem *ctype, dim grammar.Expr) *ctype {
	count := 0
	if dim != nil {
		if c, ok := l.expr(dim).constant(); ok && c < 1<<20 {
			count = int(c)
		}
	}
	return &ctype{kind: kArray, size: count * elem.sizeof(l.target), elem: elem, known: true}
}

func (l *lowerer) typeOfExpr(e grammar.Expr) *ctype {
	if t, ok := e.(*grammar.TypeExpr); ok {
		return l.typeOf(t.Type)
	}
	return l.quiet(e).t
}

// bodyType lays out a struct declared in place. Zero-width bit-fields and static assertions take no
// room; the kernel's build-time checks leave them in a print fmt.
func (l *lowerer) bodyType(n *grammar.TypeName) *ctype {
	t := &ctype{kind: kStruct, known: true, name: n.Base}
	union := strings.HasPrefix(n.Base, "union")
	end := 0
	for _, d := range n.Body {
		if d.Type == nil || d.Type.Bits != nil || d.Name == "" {
			continue
		}
		m := member{name: d.Name, t: l.typeOf(d.Type)}
		size := m.t.sizeof(l.target)
		if align := min(max(size, 1), l.target.WordSize); !union && align > 0 && m.t.kind != kStruct {
			end = (end + align - 1) / align * align
		}
		if !union {
			m.offset = end
		}
		end = max(end, m.offset+size)
		t.members = append(t.members, m)
	}
	t.size = end
	return t
}

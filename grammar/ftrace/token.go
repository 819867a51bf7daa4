package ftrace

// kind is the kind of a C token.
type kind uint8

// The kinds. Binary operators come first, with their ranks in infixRank. The words that can start a
// declaration are from kwVoid to kwStatic.
const (
	tEOF kind = iota
	tBad      // text that the scanner rejects; the scanner keeps the message
	tIdent
	tNumber
	tChar
	tString

	tComma
	tAssign // = and all op=
	tQuestion
	tOrOr
	tAndAnd
	tOr
	tXor
	tAnd
	tEq // == !=
	tLess
	tShift
	tPlus // + -
	tStar
	tSlash // / %

	tColon
	tSemi
	tNot // ! ~
	tInc // ++ --
	tArrow
	tDot
	tEllipsis
	tLParen
	tRParen
	tLBrack
	tRBrack
	tLBrace
	tRBrace

	kwBase // int, unsigned, void …
	kwStruct
	kwTypeof
	kwQual
	kwStatic
	kwExtern
	kwStorage // register, auto, inline: without effect here
	kwAttr
	kwStaticAssert

	kwSizeof
	kwAlignof
	kwGeneric
	kwExtension
	kwIf
	kwElse
	kwFor
	kwWhile
	kwDo
	kwSwitch
	kwCase
	kwDefault
	kwJump // break, continue, return
	kwOther
)

// keyword returns the kind of a name: tIdent unless it is a keyword.
//
// The address-space words are defined in the kernel's compiler_types.h. sparse knows them, and
// kernels built with address-space checks leave some (`__seg_gs`) in their format files.
func keyword(s string) kind {
	if len(s) < 2 || len(s) > len("_Static_assert") {
		return tIdent
	}
	switch s {
	case "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
		"_Bool", "__signed__", "__signed", "__int128", "_Complex", "__auto_type":
		return kwBase
	case "struct", "union", "enum":
		return kwStruct
	case "typeof", "__typeof__", "__typeof", "typeof_unqual":
		return kwTypeof
	case "const", "volatile", "restrict", "__const", "__const__", "__volatile__", "__volatile",
		"__restrict", "__restrict__", "_Atomic",
		"__user", "__iomem", "__percpu", "__rcu", "__kernel", "__force", "__nocast", "__private",
		"__seg_gs", "__seg_fs":
		return kwQual
	case "static":
		return kwStatic
	case "extern":
		return kwExtern
	case "register", "auto", "inline", "__inline", "__inline__", "_Noreturn", "_Thread_local":
		return kwStorage
	case "__attribute__", "__attribute":
		return kwAttr
	case "_Static_assert", "static_assert":
		return kwStaticAssert
	case "sizeof":
		return kwSizeof
	case "__alignof__", "__alignof", "_Alignof", "alignof":
		return kwAlignof
	case "_Generic":
		return kwGeneric
	case "__extension__":
		return kwExtension
	case "if":
		return kwIf
	case "else":
		return kwElse
	case "for":
		return kwFor
	case "while":
		return kwWhile
	case "do":
		return kwDo
	case "switch":
		return kwSwitch
	case "case":
		return kwCase
	case "default":
		return kwDefault
	case "break", "continue", "return":
		return kwJump
	case "goto", "typedef", "asm", "__asm__", "__asm":
		return kwOther
	}
	return tIdent
}

// isWord reports whether a token of kind k is a name or a keyword.
func isWord(k kind) bool { return k == tIdent || k >= kwBase }

// startsType reports whether a token of kind k can only be the start of a type.
func startsType(k kind) bool { return k >= kwBase && k <= kwQual || k == kwAttr }

// knownType reports whether a name is the name of a kernel type by its spelling. Nothing declares
// types in a format file, and `(x) - 1` is a cast only if x is a type.
func knownType(s string) bool {
	if n := len(s); n > 2 && s[n-2] == '_' && s[n-1] == 't' {
		return true
	}
	switch s {
	case "bool", "uint", "ulong", "ushort", "uchar", "unchar", "u_int", "u_char", "u_short", "u_long",
		"u8", "u16", "u32", "u64", "u128", "s8", "s16", "s32", "s64", "s128",
		"__u8", "__u16", "__u32", "__u64", "__s8", "__s16", "__s32", "__s64",
		"__le16", "__le32", "__le64", "__be16", "__be32", "__be64", "__sum16", "__wsum",
		"__virtio16", "__virtio32", "__virtio64", "__hc16", "__hc32",
		"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
		"acpi_status", "acpi_handle", "acpi_size", "acpi_io_address", "acpi_physical_address",
		"OM_uint32": // the GSS-API of sunrpc
		return true
	}
	return false
}

// infixRank is the precedence of the operators between two operands, from the loosest. All but
// assignment and ?: group from the left.
var infixRank = [...]rank{
	tComma:    rankComma,
	tAssign:   rankAssign,
	tQuestion: rankCond,
	tOrOr:     rankCond + 1,
	tAndAnd:   rankCond + 2,
	tOr:       rankCond + 3,
	tXor:      rankCond + 4,
	tAnd:      rankCond + 5,
	tEq:       rankCond + 6,
	tLess:     rankCond + 7,
	tShift:    rankCond + 8,
	tPlus:     rankCond + 9,
	tStar:     rankCond + 10,
	tSlash:    rankCond + 10,
	kwOther:   0,
}

// rank is a level of precedence; a higher one binds tighter.
type rank uint8

const (
	rankComma   rank = 1
	rankAssign  rank = 2
	rankCond    rank = 3
	rankUnary   rank = 14 // prefix operators, casts and sizeof
	rankPostfix rank = 15
)

// opKinds is the kind of each operator between two operands; Format looks up the text of a Binary.
var opKinds = map[string]kind{
	",": tComma, "?": tQuestion, "||": tOrOr, "&&": tAndAnd, "|": tOr, "^": tXor, "&": tAnd,
	"==": tEq, "!=": tEq, "<": tLess, "<=": tLess, ">": tLess, ">=": tLess,
	"<<": tShift, ">>": tShift, "+": tPlus, "-": tPlus, "*": tStar, "/": tSlash, "%": tSlash,
	"=": tAssign, "+=": tAssign, "-=": tAssign, "*=": tAssign, "/=": tAssign, "%=": tAssign,
	"&=": tAssign, "|=": tAssign, "^=": tAssign, "<<=": tAssign, ">>=": tAssign,
}

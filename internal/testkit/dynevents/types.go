package dynevents

import "fmt"

// argKind is the kind of the bytes of an argument.
type argKind uint8

const (
	number argKind = iota
	character
	symbol
	dynamicText
	fixedText
	stack
)

// argType is a type of arguments.
type argType struct {
	decl   string // declaration of the field, with %s for its name
	kind   argKind
	size   int // 0 for a word
	signed int
	format string
	get    string // function to read it in the print fmt, "" for REC->
	slot   int    // for synthetic events, which have eight bytes for each value
	rel    bool   // offsets count from the end of the word
}

func (t *argType) bytes(word int) int {
	if t.size == 0 {
		return word
	}
	return t.size
}

// declaration returns the kernel's declaration. The dimensions of data elsewhere in the record are
// part of the type.
func (a *arg) declaration(word int) string {
	decl := fmt.Sprintf(a.t.decl, a.name)
	switch {
	case a.count == 0:
		return decl
	case a.t.kind == dynamicText:
		return fmt.Sprintf("__data_loc char[][%d] %s", a.count, a.name)
	}
	return fmt.Sprintf("%s[%d]", decl, a.count)
}

// probeTypes are the types of probes: PRINT_TYPE_FMT and the names of fields in
// kernel/trace/trace_probe.c.
var probeTypes = []argType{
	{decl: "u8 %s", size: 1, format: "%u"}, {decl: "u16 %s", size: 2, format: "%u"},
	{decl: "u32 %s", size: 4, format: "%u"}, {decl: "u64 %s", size: 8, format: "%Lu"},
	{decl: "s8 %s", size: 1, signed: 1, format: "%d"}, {decl: "s16 %s", size: 2, signed: 1, format: "%d"},
	{decl: "s32 %s", size: 4, signed: 1, format: "%d"}, {decl: "s64 %s", size: 8, signed: 1, format: "%Ld"},
	{decl: "u8 %s", size: 1, format: "0x%x"}, {decl: "u16 %s", size: 2, format: "0x%x"},
	{decl: "u32 %s", size: 4, format: "0x%x"}, {decl: "u64 %s", size: 8, format: "0x%Lx"},
	{decl: "u8 %s", kind: character, size: 1, format: "'%c'"},
	{decl: "unsigned long %s", kind: symbol, format: "%pS"},
	{decl: "__data_loc char[] %s", kind: dynamicText, size: 4, signed: 1, format: `\"%s\"`, get: "__get_str"},
	{decl: "__data_loc char[] %s", kind: dynamicText, size: 4, signed: 1, format: `\"%s\"`, get: "__get_str"},
}

// syntheticTypes are the types of synthetic events: synth_field_fmt. A text of fixed size has 256
// characters.
var syntheticTypes = []argType{
	{decl: "s64 %s", size: 8, signed: 1, format: "%lld", slot: 8}, {decl: "u64 %s", size: 8, format: "%llu", slot: 8},
	{decl: "s32 %s", size: 4, signed: 1, format: "%d", slot: 8}, {decl: "u32 %s", size: 4, format: "%u", slot: 8},
	{decl: "s16 %s", size: 2, signed: 1, format: "%d", slot: 8}, {decl: "u16 %s", size: 2, format: "%u", slot: 8},
	{decl: "s8 %s", size: 1, signed: 1, format: "%d", slot: 8}, {decl: "u8 %s", size: 1, format: "%u", slot: 8},
	{decl: "char %s", size: 1, signed: 1, format: "%d", slot: 8},
	{decl: "unsigned char %s", size: 1, format: "%u", slot: 8},
	{decl: "int %s", size: 4, signed: 1, format: "%d", slot: 8},
	{decl: "unsigned int %s", size: 4, format: "%u", slot: 8},
	{decl: "long %s", signed: 1, format: "%ld", slot: 8}, {decl: "unsigned long %s", format: "%lu", slot: 8},
	{decl: "bool %s", size: 1, format: "%d", slot: 8}, {decl: "pid_t %s", size: 4, signed: 1, format: "%d", slot: 8},
	{decl: "gfp_t %s", size: 4, format: "%x", slot: 8},
	{decl: "char %s[16]", kind: fixedText, size: 16, signed: 1, format: "%s", slot: 256},
	{decl: "__data_loc char[] %s", kind: dynamicText, size: 4, signed: 1, format: "%s", get: "__get_str", slot: 8},
	{decl: "__data_loc char[] %s", kind: dynamicText, size: 4, signed: 1, format: "%s", get: "__get_str", slot: 8},
	{decl: "__data_loc unsigned long[] %s", kind: stack, size: 4, format: "%s", get: "__get_stacktrace", slot: 8},
}

// userTypes are the types of user_events: user_field_format.
var userTypes = []argType{
	{decl: "s64 %s", size: 8, signed: 1, format: "%lld"}, {decl: "u64 %s", size: 8, format: "%llu"},
	{decl: "s32 %s", size: 4, signed: 1, format: "%d"}, {decl: "u32 %s", size: 4, format: "%u"},
	{decl: "int %s", size: 4, signed: 1, format: "%d"}, {decl: "unsigned int %s", size: 4, format: "%u"},
	{decl: "short %s", size: 2, signed: 1, format: "%d"}, {decl: "unsigned short %s", size: 2, format: "%u"},
	{decl: "s8 %s", size: 1, signed: 1, format: "%d"}, {decl: "unsigned char %s", size: 1, format: "%u"},
	{decl: "char %s[20]", kind: fixedText, size: 20, signed: 1, format: "%s"},
	{decl: "__data_loc char[] %s", kind: dynamicText, size: 4, signed: 1, format: "%s", get: "__get_str"},
	{decl: "__rel_loc char %s[]", kind: dynamicText, size: 4, signed: 1, format: "%s", get: "__get_rel_str", rel: true},
}

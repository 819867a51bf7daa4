package ir

// TextFunc describes a function of runtime/render that a Call names. Every such function has the shape
//
//	func Name(dst []byte, env *render.Env, args…) []byte
//
// and appends to dst.
type TextFunc struct {
	// Params has one letter per argument:
	//
	//	v  uint64, a Value (extended by its type)
	//	r  []byte, a Region, or a Text rendered beforehand
	//	o  bool, true when the elements of the r before it are big-endian; the back end supplies it,
	//	   it has no Arg
	//	s  string, a StrArg
	//	t  render.Table, a *Table
	Params string
	Doc    string
}

// TextFuncs lists the functions a Call may name.
var TextFuncs = map[string]TextFunc{
	"Symbolic":     {"vt", "first row equal to v, else 0x%x of v: __print_symbolic"},
	"Flags":        {"vst", "rows whose bits are in v, joined by s, then the rest in hex: __print_flags"},
	"Hex":          {"rv", "the first v bytes of r as `0a 1b`: __print_hex"},
	"HexStr":       {"rv", "as `0a1b`: __print_hex_str"},
	"Array":        {"rovv", "v elements of v bytes as `{0x1,0x2}`: __print_array"},
	"HexDump":      {"svvvrvv", "prefix string, prefix type, row size, group size, buffer, length, ascii: __print_hex_dump"},
	"Bitmask":      {"ro", "`ff,ffffffff`: __get_bitmask, __get_cpumask"},
	"BitList":      {"rov", "the first v bits as `0-3,7`: %*pbl"},
	"Bitmap":       {"rov", "the first v bits as `ff,ffffffff`: %*pb"},
	"NsToSecs":     {"v", "s.nnnnnnnnn"},
	"StackTrace":   {"ro", "words of env.WordSize as `=> symbol` lines: __get_stacktrace"},
	"Pointer":      {"v", "0x%x, (nil) for 0: %p, which a recording holds unhashed"},
	"PointerHex":   {"v", "%px: zero-padded digits of a word"},
	"Symbol":       {"v", "name or 0x%x: %ps"},
	"SymbolOffset": {"v", "name+0xoff or 0x%x: %pS"},
	"PtrString":    {"v", "the string at a kernel address, from printk_formats, else 0x%x: %s of a char pointer"},
	"MAC":          {"rs", "six bytes; s holds the letters after %pM: R reversed, F dashes, m none"},
	"IP4":          {"rs", "four bytes; s holds the letters after %p: I4, i4 and h n b l for the order"},
	"IP6":          {"rs", "sixteen bytes; I6, i6, I6c"},
	"Sockaddr":     {"rs", "a struct sockaddr; s holds the letters after %pIS or %piS: p f s c"},
	"UUID":         {"rs", "sixteen bytes; s is U and b l B L"},
	"HexBytes":     {"rvs", "v bytes (at most 64); s is the separator letter of %*ph: C D N or empty"},
	"Escaped":      {"rvs", "v bytes as escaped text; s holds the letters after %*pE"},
	"Errno":        {"v", "-ENOENT, or the number: %pe"},
	"FourCC":       {"v", "%p4cc"},
	"GFPFlags":     {"v", "%pGg"},
	"BinPrintf":    {"vr", "the format at kernel address v over packed arguments r: bprint"},
}

// ValueFuncs lists the functions a Func may name, with their number of arguments. Each has the shape
// func Name(a, b uint64) uint64.
var ValueFuncs = map[string]int{
	"Swab16": 1, "Swab32": 1, "Swab64": 1,
	"Ffs": 1, "Fls": 1, // 1-based, 0 for 0
	"Ctz": 1, "Clz64": 1, "Clz32": 1, "Popcount": 1,
	"OrderBase2": 1, // ceil(log2), 0 for 0 and 1
	"Ilog2":      1, // floor(log2), all ones for 0
}

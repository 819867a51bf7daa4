package render

// Pointer appends 0x%x, (nil) for 0: %p. The kernel prints a hash, which a recording cannot know;
// this is the address itself, in the way of trace-cmd.
func Pointer(dst []byte, env *Env, v uint64) []byte {
	if v = env.word(v); v == 0 {
		return append(dst, "(nil)"...)
	}
	return hex0x(dst, v)
}

// PointerHex appends all digits of a pointer: %px.
func PointerHex(dst []byte, env *Env, v uint64) []byte {
	return HexPad(dst, env.word(v), env.wordSize()*2)
}

// Symbol appends the name of the function or object at v, and its module, else 0x%x: %ps.
func Symbol(dst []byte, env *Env, v uint64) []byte {
	v = env.word(v)
	dst, ok := appendSymbol(dst, env, v)
	if !ok {
		return dst
	}
	return env.AppendModule(dst, v)
}

// SymbolName is Symbol without the module.
func SymbolName(dst []byte, env *Env, v uint64) []byte {
	dst, _ = appendSymbol(dst, env, env.word(v))
	return dst
}

// appendSymbol appends the name at v. It returns false where there is none, and appends 0x%x then.
func appendSymbol(dst []byte, env *Env, v uint64) ([]byte, bool) {
	name, _, ok := env.symbol(v)
	if !ok {
		return hex0x(dst, v), false
	}
	return append(dst, clip(name)...), true
}

// SymbolOffset appends name+0x%x, else 0x%x of v: %pS. The kernel adds the size of the symbol,
// which a recording does not hold, before the module.
func SymbolOffset(dst []byte, env *Env, v uint64) []byte {
	v = env.word(v)
	name, off, ok := env.symbol(v)
	if !ok {
		return hex0x(dst, v)
	}
	dst = append(dst, clip(name)...)
	return env.AppendModule(hex0x(append(dst, '+'), off), v)
}

// SymbolFrom is Symbol of what is v bytes after a name of the kernel, `(name + v)` when nothing
// says where that is.
func SymbolFrom(dst []byte, env *Env, name string, v uint64) []byte {
	base, ok := env.from(name)
	if !ok {
		return nameAnd(dst, name, v)
	}
	return Symbol(dst, env, base+v)
}

// SymbolOffsetFrom is the same of SymbolOffset.
func SymbolOffsetFrom(dst []byte, env *Env, name string, v uint64) []byte {
	base, ok := env.from(name)
	if !ok {
		return nameAnd(dst, name, v)
	}
	return SymbolOffset(dst, env, base+v)
}

func nameAnd(dst []byte, name string, v uint64) []byte {
	dst = append(append(append(dst, '('), name...), " + "...)
	return append(Dec(dst, int64(v)), ')')
}

// StackTrace appends one `=> name+0xoff` line for each word of r up to the first 0: the way
// print_synth_event shows __get_stacktrace. big says the byte order of the words.
func StackTrace(dst []byte, env *Env, r []byte, big bool) []byte {
	w := env.wordSize()
	for start := len(dst); len(r) >= w && len(dst)-start <= MaxText; {
		addr := uintOf(r[:w], big)
		if addr == 0 {
			break
		}
		dst = append(dst, "=> "...)
		dst = append(SymbolOffset(dst, env, addr), '\n')
		r = r[w:]
	}
	return dst
}

// PtrString appends the string at kernel address v when the recording has it (printk_formats), else
// 0x%x; (null) for 0, as the kernel does: %s of a char pointer.
func PtrString(dst []byte, env *Env, v uint64) []byte {
	v = env.word(v)
	if s, ok := env.lookup(v); ok {
		return append(dst, clip(s)...)
	}
	if v == 0 {
		return append(dst, "(null)"...)
	}
	return hex0x(dst, v)
}

package render

// Pointer appends 0x%x, or (nil) for 0: %p. The kernel prints a hash, which is not recorded.
// Pointer prints the address itself, as trace-cmd does.
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

// Symbol appends the name of the function or object at v and its module, or else 0x%x: %ps.
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

// appendSymbol appends the name at v. If v has no name, it appends 0x%x and returns false.
func appendSymbol(dst []byte, env *Env, v uint64) ([]byte, bool) {
	name, _, ok := env.symbol(v)
	if !ok {
		return hex0x(dst, v), false
	}
	return append(dst, clip(name)...), true
}

// SymbolOffset appends name+0x%x, or else 0x%x of v: %pS. The kernel adds the size of the symbol
// before the module. The size is not recorded.
func SymbolOffset(dst []byte, env *Env, v uint64) []byte {
	v = env.word(v)
	name, off, ok := env.symbol(v)
	if !ok {
		return hex0x(dst, v)
	}
	dst = append(dst, clip(name)...)
	return env.AppendModule(hex0x(append(dst, '+'), off), v)
}

// SymbolFrom is Symbol for the address v bytes after a name of the kernel. If the address of name
// is unknown, it appends `(name + v)`.
func SymbolFrom(dst []byte, env *Env, name string, v uint64) []byte {
	base, ok := env.from(name)
	if !ok {
		return nameAnd(dst, name, v)
	}
	return Symbol(dst, env, base+v)
}

// SymbolOffsetFrom is SymbolOffset for such an address.
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

// StackTrace appends a `=> name+0xoff` line for each word of r up to the first 0, as
// print_synth_event prints __get_stacktrace. big is the byte order of the words.
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

// PtrString appends the string at kernel address v if it is recorded (printk_formats). Otherwise it
// appends 0x%x, or (null) for 0, as the kernel does: %s of a char pointer.
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

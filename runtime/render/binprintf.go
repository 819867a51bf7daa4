package render

// BinPrintf appends the text of a bprint record.
func BinPrintf(dst []byte, env *Env, fmt uint64, args []byte) []byte {
	format, ok := env.lookup(env.word(fmt))
	if !ok {
		dst = append(dst, "(NO FORMAT FOUND at "...)
		return append(HexLower(dst, env.word(fmt)), ")\n"...)
	}
	return append(dst, format...)
}

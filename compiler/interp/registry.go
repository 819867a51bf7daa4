package interp

import "github.com/tracec/tracec/runtime/render"

// textFuncs are the functions that ir.TextFuncs names; a test holds the two lists and the shapes together.
var textFuncs = map[string]any{
	"Symbolic":     render.Symbolic,
	"Flags":        render.Flags,
	"Hex":          render.Hex,
	"HexStr":       render.HexStr,
	"Array":        render.Array,
	"HexDump":      render.HexDump,
	"Bitmask":      render.Bitmask,
	"BitList":      render.BitList,
	"Bitmap":       render.Bitmap,
	"NsToSecs":     render.NsToSecs,
	"StackTrace":   render.StackTrace,
	"Pointer":      render.Pointer,
	"PointerHex":   render.PointerHex,
	"Symbol":       render.Symbol,
	"SymbolOffset": render.SymbolOffset,
	"PtrString":    render.PtrString,
	"MAC":          render.MAC,
	"IP4":          render.IP4,
	"IP6":          render.IP6,
	"Sockaddr":     render.Sockaddr,
	"UUID":         render.UUID,
	"HexBytes":     render.HexBytes,
	"Escaped":      render.Escaped,
	"Errno":        render.Errno,
	"FourCC":       render.FourCC,
	"GFPFlags":     render.GFPFlags,
	"BinPrintf":    render.BinPrintf,
}

// valueFuncs are the functions that ir.ValueFuncs names. Those of one argument ignore the second.
var valueFuncs = map[string]func(a, b uint64) uint64{
	"Swab16":     render.Swab16,
	"Swab32":     render.Swab32,
	"Swab64":     render.Swab64,
	"Ffs":        render.Ffs,
	"Fls":        render.Fls,
	"Ctz":        render.Ctz,
	"Clz64":      render.Clz64,
	"Clz32":      render.Clz32,
	"Popcount":   render.Popcount,
	"OrderBase2": render.OrderBase2,
	"Ilog2":      render.Ilog2,
}

package plugin

import "github.com/tracec/tracec/runtime/render"

// symbol returns the name of the kernel function at addr and the distance from its start.
func (c *Context) symbol(addr uint64) (string, uint64, bool) {
	if c.Env == nil || c.Env.Symbols == nil {
		return "", 0, false
	}
	return c.Env.Symbols.Symbol(addr)
}

// putModule appends the module of addr for the kernel's texts, which print it after %ps and %pS.
func (c *Context) putModule(dst []byte, addr uint64) []byte {
	if !c.Kernel {
		return dst
	}
	return c.Env.AppendModule(dst, addr)
}

// nameOrHex appends `name`, or the address in bare hex digits, as the function graph and
// kernel_stack do.
func (c *Context) nameOrHex(dst []byte, addr uint64) []byte {
	if c.Kernel {
		return c.putSymbol(dst, addr)
	}
	if name, _, ok := c.symbol(addr); ok {
		return append(dst, name...)
	}
	return render.HexLower(dst, addr)
}

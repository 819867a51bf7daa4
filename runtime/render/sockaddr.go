package render

import "encoding/binary"

// Address families of a struct sockaddr (include/linux/socket.h).
const (
	afINET  = 2
	afINET6 = 10
)

// sockaddrFormat represents the letters after %pIS.
type sockaddrFormat struct {
	padded                        bool // %piS
	port, flow, scope, compressed bool
	order                         byte
}

func parseSockaddrFormat(s string) sockaddrFormat {
	var f sockaddrFormat
	if len(s) >= 2 && s[1] == 'S' && (s[0] == 'i' || s[0] == 'I') {
		f.padded = s[0] == 'i'
		s = s[2:]
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 'p':
			f.port = true
		case 'f':
			f.flow = true
		case 's':
			f.scope = true
		case 'c':
			f.compressed = true
		case 'h', 'n', 'b', 'l':
			f.order = s[i]
		}
	}
	return f
}

// Sockaddr appends a struct sockaddr of IPv4 or IPv6. It prints the address, with p the port, with
// f the flow label, with s the scope, with c compressed. s has these letters. They may follow IS or
// iS; iS selects the forms i4 and i6. The family and the scope are in the byte order of env. The
// port, the flow label and the address are in network order. Any other family, and an incomplete
// struct, are printed as (einval), as in the kernel (ip_addr_string in lib/vsprintf.c).
func Sockaddr(dst []byte, env *Env, r []byte, s string) []byte {
	f := parseSockaddrFormat(s)
	if len(r) >= 2 {
		switch uintOf(r[:2], env.bigEndian()) {
		case afINET:
			if len(r) >= 8 {
				return f.appendIP4(dst, env, r)
			}
		case afINET6:
			if len(r) >= 24 {
				return f.appendIP6(dst, env, r)
			}
		}
	}
	return append(dst, "(einval)"...)
}

// appendIP4 reads a struct sockaddr_in: family u16, port be16, address be32.
func (f sockaddrFormat) appendIP4(dst []byte, env *Env, r []byte) []byte {
	dst = ip4(dst, env, r[4:8], f.padded, f.order)
	if f.port {
		dst = Udec(append(dst, ':'), uint64(binary.BigEndian.Uint16(r[2:])))
	}
	return dst
}

// appendIP6 reads a struct sockaddr_in6: family u16, port be16, flow label be32, address of 16
// bytes, scope u32 in machine order (0 if the record ends before it).
func (f sockaddrFormat) appendIP6(dst []byte, env *Env, r []byte) []byte {
	var a [16]byte
	copy(a[:], r[8:24])
	bracket := f.port || f.flow || f.scope
	if bracket {
		dst = append(dst, '[')
	}
	switch {
	case f.padded:
		dst = hexJoined(dst, a[:], 0)
	case f.compressed:
		dst = ip6Compressed(dst, env, &a)
	default:
		dst = ip6Full(dst, &a)
	}
	if bracket {
		dst = append(dst, ']')
	}
	if f.port {
		dst = Udec(append(dst, ':'), uint64(binary.BigEndian.Uint16(r[2:])))
	}
	if f.flow {
		const mask = 0x0fffffff // IPV6_FLOWINFO_MASK
		dst = Udec(append(dst, '/'), uint64(binary.BigEndian.Uint32(r[4:])&mask))
	}
	if f.scope {
		scope := uint64(0)
		if len(r) >= 28 {
			scope = uintOf(r[24:28], env.bigEndian())
		}
		dst = Udec(append(dst, '%'), scope)
	}
	return dst
}

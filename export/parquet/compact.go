package parquet

import "encoding/binary"

// appendTo appends the values of a column in a compact form.
func (c *column) appendTo(dst []byte) []byte {
	switch c.storage {
	case narrow:
		dst = appendNumbers(dst, c.narrow)
	case wide:
		dst = appendNumbers(dst, c.wide)
	default:
		dst = appendEnds(dst, c.ends)
	}
	if c.optional {
		dst = appendLevels(dst, c.levels)
	}
	switch c.storage {
	case text:
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(c.bytes)))
		dst = append(dst, c.bytes...)
	case repeated:
		dst = c.elem.appendTo(dst)
	}
	return dst
}

// takeFrom reads values in the form of appendTo, and returns the rest of src.
func (c *column) takeFrom(src []byte) []byte {
	switch c.storage {
	case narrow:
		c.narrow, src = takeNumbers(c.narrow, src)
	case wide:
		c.wide, src = takeNumbers(c.wide, src)
	case text:
		c.ends, src = takeEnds(c.ends, len(c.bytes), src)
	case repeated:
		c.ends, src = takeEnds(c.ends, c.elem.len(), src)
	}
	if c.optional {
		c.levels, src = takeLevels(c.levels, src)
	}
	switch c.storage {
	case text:
		n := 4 + int(binary.LittleEndian.Uint32(src))
		c.bytes = append(c.bytes, src[4:n]...)
		src = src[n:]
	case repeated:
		src = c.elem.takeFrom(src)
	}
	return src
}

// Numbers are stored as their count, their minimum, and the difference of each from the minimum.
// Differences have as many bytes as the largest needs, or no bytes if all are equal.
func appendNumbers[T int32 | int64](dst []byte, list []T) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(list)))
	if len(list) == 0 {
		return dst
	}
	least, most := list[0], list[0]
	for _, v := range list {
		least, most = min(least, v), max(most, v)
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(least))
	width := widthOf(uint64(most) - uint64(least))
	dst = append(dst, width)
	at := len(dst)
	dst = append(dst, make([]byte, len(list)*int(width))...)
	to := dst[at:]
	switch width {
	case 1:
		for i, v := range list {
			to[i] = byte(v - least)
		}
	case 2:
		for i, v := range list {
			binary.LittleEndian.PutUint16(to[2*i:], uint16(v-least))
		}
	case 4:
		for i, v := range list {
			binary.LittleEndian.PutUint32(to[4*i:], uint32(v-least))
		}
	case 8:
		for i, v := range list {
			binary.LittleEndian.PutUint64(to[8*i:], uint64(v-least))
		}
	}
	return dst
}

func takeNumbers[T int32 | int64](list []T, src []byte) ([]T, []byte) {
	n := int(binary.LittleEndian.Uint32(src))
	if src = src[4:]; n == 0 {
		return list, src
	}
	least, width := T(binary.LittleEndian.Uint64(src)), int(src[8])
	from, rest := src[9:9+n*width], src[9+n*width:]
	at := len(list)
	list = append(list, make([]T, n)...)
	to := list[at:]
	switch width {
	case 0:
		for i := range to {
			to[i] = least
		}
	case 1:
		for i := range to {
			to[i] = least + T(from[i])
		}
	case 2:
		for i := range to {
			to[i] = least + T(binary.LittleEndian.Uint16(from[2*i:]))
		}
	case 4:
		for i := range to {
			to[i] = least + T(binary.LittleEndian.Uint32(from[4*i:]))
		}
	default:
		for i := range to {
			to[i] = least + T(binary.LittleEndian.Uint64(from[8*i:]))
		}
	}
	return list, rest
}

// widthOf returns the number of bytes for a number: 0, 1, 2, 4 or 8.
func widthOf(v uint64) byte {
	switch {
	case v == 0:
		return 0
	case v < 1<<8:
		return 1
	case v < 1<<16:
		return 2
	case v < 1<<32:
		return 4
	}
	return 8
}

// Ends are stored as the length of each value.
func appendEnds(dst []byte, ends []uint32) []byte {
	lengths := make([]int32, len(ends))
	before := uint32(0)
	for i, end := range ends {
		lengths[i], before = int32(end-before), end
	}
	return appendNumbers(dst, lengths)
}

// takeEnds appends the ends of values. The first value begins at from.
func takeEnds(ends []uint32, from int, src []byte) ([]uint32, []byte) {
	lengths, src := takeNumbers[int32](nil, src)
	end := uint32(from)
	for _, n := range lengths {
		end += uint32(n)
		ends = append(ends, end)
	}
	return ends, src
}

// Definition levels are stored as numbers. Usually all are equal.
func appendLevels(dst []byte, levels []uint8) []byte {
	list := make([]int32, len(levels))
	for i, level := range levels {
		list[i] = int32(level)
	}
	return appendNumbers(dst, list)
}

func takeLevels(levels []uint8, src []byte) ([]uint8, []byte) {
	list, src := takeNumbers[int32](nil, src)
	for _, v := range list {
		levels = append(levels, uint8(v))
	}
	return levels, src
}

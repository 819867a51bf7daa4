package perf

import "testing"

// TestBigEndianBits: on big-endian machines, the first member of a C bit field is at the top of its
// 64 bits, and the parts of a weight are in the opposite order (perf.md 1.5, 4.1).
func TestBigEndianBits(t *testing.T) {
	const mispredicted, cycles, kind, speculation, newType = 1 << 63, 7 << 44, 9 << 40, 2 << 38, 5 << 34
	b := Branch{flags: mispredicted | cycles | kind | speculation | newType, big: true}
	if !b.Mispredicted() || b.Predicted() || b.Abort() || b.InTransaction() || b.NotTaken() {
		t.Errorf("flags of %+v", b)
	}
	if b.Cycles() != 7 || b.Type() != 9 || b.Speculation() != 2 || b.NewType() != 5 {
		t.Errorf("%d cycles, type %d, speculation %d, new type %d", b.Cycles(), b.Type(), b.Speculation(), b.NewType())
	}
	for big, bytes := range map[bool][]byte{
		false: {1, 0, 0, 0, 2, 0, 3, 0}, true: {0, 3, 0, 2, 0, 0, 0, 1},
	} {
		if first, second, third := (order{big}).weights(bytes); first != 1 || second != 2 || third != 3 {
			t.Errorf("big-endian %v: weights %d, %d, %d", big, first, second, third)
		}
	}
}

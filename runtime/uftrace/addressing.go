package uftrace

// addressing finds the symbols of addresses, by the program image of the current time.
type addressing struct {
	views *views
	cache *addressCache // of the current program image; nil before the first call
	from  uint64        // it is valid at times from ≤ t < to
	to    uint64
}

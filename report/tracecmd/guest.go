package tracecmd

import "github.com/tracec/tracec/runtime/render"

// guestSymbols returns the function that finds names of functions in the guests of a host. The
// recordings of the guests must be shown with it. It returns nil without guests.
func (p *printer) guestSymbols(host *input) func(pid int32, addr uint64) (string, uint64, bool) {
	byPID := map[int32]render.Symbols{}
	for _, guest := range host.info.Guests {
		for _, in := range p.inputs {
			if in == host || in.info.TraceID != guest.TraceID {
				continue
			}
			for _, v := range guest.VCPUs {
				byPID[int32(v.HostPID)] = in.values.env.Symbols
			}
		}
	}
	if len(byPID) == 0 {
		return nil
	}
	return func(pid int32, addr uint64) (string, uint64, bool) {
		s := byPID[pid]
		if s == nil {
			return "", 0, false
		}
		return s.Symbol(addr)
	}
}

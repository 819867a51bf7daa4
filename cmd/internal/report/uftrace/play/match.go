package play

import (
	"strings"

	"github.com/tracec/tracec/runtime/uftrace"
)

// inModule says whether a symbol is in the module that an item names: by the beginning of its name, PLT for library
// calls of the program, kernel for the kernel.
func inModule(s *uftrace.Symbol, module string) bool {
	kernel := s.Module != nil && s.Module.Name == "[kernel]"
	switch module {
	case "":
		return !kernel
	case "kernel":
		return kernel
	case "PLT":
		return s.Type == 'P'
	}
	return s.Module != nil && strings.HasPrefix(s.Module.Name, module)
}

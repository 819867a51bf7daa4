package ftrace

import (
	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// samePlaces compares trees without their positions.
var samePlaces = cmp.Options{cmpopts.IgnoreTypes(lexer.Position{})}

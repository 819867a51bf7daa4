package gen

// What TestReserved compares with generated code.
var (
	EventReserved  = eventReserved
	CallReserved   = callReserved
	MarkerReserved = markerReserved
)

// LayoutOf is what TestLayouts compares with the layouts of recordings.
var LayoutOf = layoutOf

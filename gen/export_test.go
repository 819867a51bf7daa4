package gen

// What TestReserved compares with generated code.
var (
	EventReserved  = eventReserved
	CallReserved   = callReserved
	MarkerReserved = markerReserved
)

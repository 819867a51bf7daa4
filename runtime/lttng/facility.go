package lttng

// readFacilities defines the events of 0.x.
func (r *Recording) readFacilities() {}

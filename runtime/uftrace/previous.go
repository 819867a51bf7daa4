package uftrace

// previous is the last record of a stream, by which the next one is judged.
type previous struct {
	time                uint64 // time of the last record, see jump
	other               uint64 // a time far from last
	payload, payloadEnd int64  // of the last record that had one, in the file
}

package uftrace

// previous is the last record of a stream. The plausibility of the next one depends on it.
type previous struct {
	time                uint64 // time of the last record, see jump
	other               uint64 // a time far from last
	payload, payloadEnd int64  // of the last record with a payload, in the file
}

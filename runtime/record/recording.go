package record

// Recording is what open recordings of all systems have in common.
type Recording interface {
	// Name returns the path or name that the recording was opened under.
	Name() string
	// Damage returns what could not be read so far, in the order it was met, 256 places at most. Opening finds what is wrong with
	// headers and descriptions, walking the streams what is wrong with the data.
	Damage() []*Damage
	// DamageStats counts all that could not be read so far.
	DamageStats() DamageStats
	// Close closes the files. Streams of the recording must not be used after it.
	Close() error
}

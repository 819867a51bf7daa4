package report

import "github.com/tracec/tracec/runtime/record"

// Opened returns what a container's Open returned, as the Open of a [System] does.
func Opened[R record.Recording](rec R, err error) (record.Recording, error) {
	if err != nil {
		return nil, err // and not a nil R
	}
	return rec, nil
}

package report

import "github.com/tracec/tracec/runtime/record"

// Opened converts the results of a container's Open to the results of Open in a [System].
func Opened[R record.Recording](rec R, err error) (record.Recording, error) {
	if err != nil {
		return nil, err // and not a nil R
	}
	return rec, nil
}

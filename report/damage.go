package report

import (
	"fmt"

	"github.com/tracec/tracec/runtime/record"
)

// EachDamage calls say for what could not be read of a recording so far: each listed place, and how many more there are. It reports
// whether there is any.
func EachDamage(rec record.Recording, say func(error)) bool {
	list := rec.Damage()
	for _, d := range list {
		say(d)
	}
	more := rec.DamageStats().Count - int64(len(list))
	if more > 0 {
		say(fmt.Errorf("%s: %d more places are damaged", rec.Name(), more))
	}
	return len(list) > 0 || more > 0
}

// Tell prints what could not be read of a recording. It returns the error of the work: err, or that the recording is damaged.
func Tell(job *Job, rec record.Recording, err error) error {
	if EachDamage(rec, job.Warn) && err == nil {
		return ErrDamaged
	}
	return err
}

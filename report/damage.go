package report

import (
	"fmt"

	"github.com/tracec/tracec/runtime/record"
)

// EachDamage calls say for what could not be read of a recording so far: each listed place, and how
// many more there are. It reports whether there is any.
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

// mostPlaces is how many places of a recording messages name.
const mostPlaces = 10

// EachDamage is [EachDamage] for messages: of many places the first count, unless all are asked
// for.
func (j *Job) EachDamage(rec record.Recording, say func(error)) bool {
	n, all := 0, rec.DamageStats().Count
	return EachDamage(rec, func(err error) {
		n++
		switch {
		case j.AllDamage || n <= mostPlaces:
			say(err)
		case n == mostPlaces+1:
			say(fmt.Errorf("%s: … and %d more places; tracec info lists them", rec.Name(), max(all, int64(n))-mostPlaces))
		}
	})
}

// endsLossy is a recording that knows what was lost after the last records of streams, which
// Record.Lost of none says.
type endsLossy interface {
	LostAtEnd() (events int64, streams int)
}

// lostAtEnd returns what a recording knows of that as an error, nil when that is nothing.
func lostAtEnd(rec record.Recording) error {
	l, ok := rec.(endsLossy)
	if !ok {
		return nil
	}
	n, streams := l.LostAtEnd()
	of := "a stream"
	if streams > 1 {
		of = fmt.Sprintf("%d streams", streams)
	}
	switch {
	case n == record.LostUnknown:
		return fmt.Errorf("%s: events were lost after the last one of %s, and their number is not known", rec.Name(), of)
	case n != 0:
		return fmt.Errorf("%s: %d events were lost after the last one of %s", rec.Name(), n, of)
	}
	return nil
}

// Tell prints what could not be read of a recording, and what was lost at its end. It returns the
// error of the work: err, or that the recording is damaged.
func Tell(job *Job, rec record.Recording, err error) error {
	if lost := lostAtEnd(rec); lost != nil {
		job.Warn(lost)
	}
	if job.EachDamage(rec, job.Warn) && err == nil {
		return ErrDamaged
	}
	return err
}

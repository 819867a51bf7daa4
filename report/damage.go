package report

import (
	"fmt"

	"github.com/tracec/tracec/runtime/record"
)

// EachDamage calls say for each listed damage of a recording so far, and for the number of places
// beyond the list. It reports whether there is any damage.
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

// mostPlaces is the number of damaged places of a recording that messages name.
const mostPlaces = 10

// EachDamage is [EachDamage] for messages. It passes the first few damaged places, or all on
// request.
func (j *Job) EachDamage(rec record.Recording, say func(error)) bool {
	n, all := 0, rec.DamageStats().Count
	return EachDamage(rec, func(err error) {
		n++
		switch {
		case j.AllDamage || n <= mostPlaces:
			say(err)
		case n == mostPlaces+1:
			say(fmt.Errorf("%s: … and %d more places; tracec info lists them", rec.Name(),
				max(all, int64(n))-mostPlaces))
		}
	})
}

// endsLossy is implemented by recordings that know of losses after the last records of streams.
// Record.Lost does not include these losses.
type endsLossy interface {
	LostAtEnd() (events int64, streams int)
}

// symbolErrs is implemented by recordings with symbols in other files. The errors explain why some
// of these files are not used.
type symbolErrs interface{ SymbolErrs() []error }

// lostAtEnd returns an error that reports losses at the end of a recording, or nil.
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
		return fmt.Errorf("%s: events were lost after the last one of %s, and their number is not known", rec.Name(),
			of)
	case n != 0:
		return fmt.Errorf("%s: %d events were lost after the last one of %s", rec.Name(), n, of)
	}
	return nil
}

// Tell prints the damage of a recording and the losses at its end. It returns err, or an error that
// reports the damage.
func Tell(job *Job, rec record.Recording, err error) error {
	if lost := lostAtEnd(rec); lost != nil {
		job.Warn(lost)
	}
	if s, ok := rec.(symbolErrs); ok {
		for _, e := range s.SymbolErrs() {
			job.Note("%w", e)
		}
	}
	if job.EachDamage(rec, job.Warn) && err == nil {
		return ErrDamaged
	}
	return err
}

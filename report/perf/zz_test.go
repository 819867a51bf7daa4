package perf_test
import ("testing";"context";"io";"github.com/tracec/tracec/report";"github.com/tracec/tracec/report/perf")
func BenchmarkZ(b *testing.B){ for range b.N { job:=&report.Job{Out: io.Discard}; job.Path="/tmp/lead/big/big.data"; job.Warn=func(error){}
 if err:=perf.Script(context.Background(), job, &perf.Options{MaxStack:127}); err!=nil {b.Fatal(err)}}}

package exports
import ("testing";"os";"io";"context";"syscall";"time";"fmt";"runtime"
"github.com/tracec/tracec"
"github.com/tracec/tracec/export/sql"
"github.com/tracec/tracec/runtime/record")
type nothing struct{n int}
func (n *nothing) Columns([]string) error {return nil}
func (n *nothing) Row([]any) error {n.n++;return nil}
func (n *nothing) end(bool, error) error {return nil}
func cpu() time.Duration { var u syscall.Rusage; syscall.Getrusage(0,&u); return time.Duration(u.Utime.Nano()+u.Stime.Nano())}
func TestZProf(t *testing.T) {
	path:=os.Getenv("ZFILE"); if path=="" {t.Skip()}
	rec, err := tracec.Open(t.Context(), path); if err!=nil {t.Fatal(err)}
	src:=sql.Source{Name:path,Open:func(within record.Options, more ...tracec.Option) (*tracec.Reader, error) {
		return tracec.NewReader(rec, append(more, tracec.WithRecords(within))...)}}
	db,err:=sql.Open(context.Background(),[]sql.Source{src},sql.Options{}); if err!=nil {t.Fatal(err)}
	var out answer
	switch os.Getenv("ZFORM") {
	case "csv": out=newCSVRows(io.Discard)
	case "json": out=newJSONRows(io.Discard)
	default: out=&nothing{}
	}
	c:=&counted{answer:out}
	ctx,cancel:=context.WithCancel(t.Context()); defer cancel()
	at:=cpu()
	err=db.Query(ctx,os.Getenv("ZQ"),c)
	out.end(false,nil)
	d:=cpu()-at
	fmt.Printf("%d rows in %v CPU: %.3f M/s %v\n",c.n,d,float64(c.n)/d.Seconds()/1e6,err)
	runtime.KeepAlive(rec)
}
type counted struct{answer;n int}
func (c *counted) Row(v []any) error {c.n++;return c.answer.Row(v)}

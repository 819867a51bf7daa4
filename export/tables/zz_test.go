package tables_test
import ("testing";"os";"fmt";"github.com/tracec/tracec/export/tables")
func TestDump(t *testing.T){ name:=os.Getenv("REC"); if name==""{t.Skip()}
 for _,r:=range rows(t,tables.Syscalls,recording(t,name)){ fmt.Println(r["ts"],r["dur"],r["ts_end"],r["reason"],r["tid"],r["name"],r["number"],r["args"],r["ret"],r["errno"],"int",r["interrupted"],"re",r["restarts"],r["abi"],"gap",r["gap_inside"]) } }

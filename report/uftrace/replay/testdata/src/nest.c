#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>
static volatile int sink;
int leaf(int x){ sink+=x; return x+1; }
int rec(int n){ if(n<=0) return leaf(n); return rec(n-1)+leaf(n); }
int mutual_b(int n);
int mutual_a(int n){ return n<=0?0:mutual_b(n-1)+1; }
int mutual_b(int n){ return n<=0?0:mutual_a(n-1)+1; }
void spin(int n){ for(int i=0;i<n;i++) sink+=i; }
void slow(void){ spin(20000); leaf(1); }
void slower(void){ slow(); spin(200000); slow(); leaf(2);}
void sleeper(int us){ leaf(3); usleep(us); leaf(4); }
char *dupit(const char*s){ return strdup(s); }
void onlycaller(void){ leaf(5); leaf(6); rec(2); }
void a(void){ onlycaller(); slow(); }
void b(void){ a(); a(); }
void toggle_on(void){ sink++; }
void toggle_off(void){ sink++; }
int main(int c,char**v){
  leaf(0); rec(5); mutual_a(4); slow(); slower(); sleeper(1500); free(dupit("hello")); b();
  toggle_off(); a(); toggle_on(); a(); sleeper(100); printf("%d\n", sink); fflush(stdout); rec(3); return 0; }

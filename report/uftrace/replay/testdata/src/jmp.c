#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static jmp_buf jb, jb2; static sigjmp_buf sb; static volatile int s;
void leaf(void){ s++; }
void deep(int n){ leaf(); if(n==0) longjmp(jb, 1); deep(n-1); }
void deep2(int n){ if(n==0) longjmp(jb2, 2); deep2(n-1); }
void h(int sig){ leaf(); if (sig==SIGUSR2) siglongjmp(sb,1); }
void inner(void){ if(!setjmp(jb2)) deep2(2); leaf(); }
void nested(void){ if(!setjmp(jb)) { inner(); deep(3);} leaf(); }
void loop(void){ volatile int i=0; if(setjmp(jb)<5){ leaf(); if(i++<3) deep(1);} leaf(); }
void alarmh(int sg){ leaf(); }
int main(){ signal(SIGUSR1,h); signal(SIGUSR2,h); raise(SIGUSR1); nested(); leaf(); loop(); if(!sigsetjmp(sb,1)){ leaf(); raise(SIGUSR2);} leaf(); signal(SIGALRM,alarmh); alarm(1); pause(); leaf(); nested(); return 0; }

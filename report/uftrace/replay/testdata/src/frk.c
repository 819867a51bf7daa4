#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
static volatile int s;
void leaf(void){ s++; }
void child(int d); 
void spawn(int d){ pid_t p=fork(); if(!p){ child(d); _exit(d);} int st; waitpid(p,&st,0); leaf(); }
void child(int d){ leaf(); if(d>0) spawn(d-1); leaf(); }
void doexec(char*self){ pid_t p=fork(); if(!p){ execl("/nonexistent/x","x",(char*)0); leaf(); execl(self,self,"leaf",(char*)0); } int st; waitpid(p,&st,0);}
void dov(char*self){ pid_t p=vfork(); if(!p){ execlp(self,self,"leaf",(char*)0); _exit(1);} int st; waitpid(p,&st,0);}
int main(int c,char**v){ if(c>1){ leaf(); leaf(); return 3;} leaf(); spawn(2); doexec(v[0]); leaf(); dov(v[0]); fflush(stdout); leaf(); exit(0); }

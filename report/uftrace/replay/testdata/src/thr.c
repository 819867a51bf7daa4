#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; static volatile long s;
void leaf(void){ s++; }
void work(int n){ for(int i=0;i<n;i++){ pthread_mutex_lock(&m); leaf(); pthread_mutex_unlock(&m);} usleep(200); leaf(); }
void *w1(void*a){ work(5); usleep(100); work(3); return 0; }
void *w2(void*a){ work(2); pthread_exit(0); return 0; }
void *w3(void*a){ for(;;) { usleep(300); leaf(); } return 0; }
void join_all(pthread_t*t,int n){ for(int i=0;i<n;i++) pthread_join(t[i],0); }
int main(){ pthread_t t[4],x; for(int i=0;i<3;i++) pthread_create(t+i,0,i==1?w2:w1,0); pthread_create(&x,0,w3,0); join_all(t,3); usleep(500); leaf(); return 0; }

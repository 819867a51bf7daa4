#include <stdio.h>
#include <unistd.h>
#include <stdlib.h>
#include <pthread.h>
#include <sys/wait.h>
int leaf(int x) { usleep(50); return x + 1; }
int mid(int x) { int r = leaf(x); r += leaf(r); return r; }
int child(int n) { int i, r = 0; for (i = 0; i < n; i++) r += mid(i); return r; }
int spawn(int n) {
	pid_t p = fork();
	if (!p) { child(n); if (n > 1) spawn(n - 1); exit(0); }
	usleep(100); mid(n);
	waitpid(p, 0, 0);
	return p;
}
void *thr(void *a) { child(2); return a; }
int main(void) {
	pthread_t t[3]; int i;
	for (i = 0; i < 3; i++) pthread_create(&t[i], 0, thr, 0);
	spawn(3);
	for (i = 0; i < 3; i++) pthread_join(t[i], 0);
	return 0;
}

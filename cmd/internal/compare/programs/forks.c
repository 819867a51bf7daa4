#include <sys/wait.h>
#include <stdlib.h>
#include <unistd.h>
static int d(int n) { usleep(200); return n; }
static int c(int n) { return d(n) + d(n); }
static int b(int n) { return c(n) + c(n); }
static int start(int n)
{
	int pid = fork();
	if (pid == 0) {
		b(n);
		if (n == 1) {
			if (fork() == 0) { c(n); exit(0); }
			wait(0);
		}
		exit(b(n) & 1);
	}
	return pid;
}
static int a(int n) { start(n); start(n + 1); b(n); return wait(0) + wait(0); }
int main(void) { a(1); return 0; }

#include <pthread.h>
#include <unistd.h>
static int spin(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
static int inner(int n) { spin(n); usleep(300); return spin(2 * n); }
static void *work(void *arg) { int i; for (i = 0; i < 3; i++) inner(1000 * (1 + (int)(long)arg)); return 0; }
int main(void)
{
	pthread_t t[3];
	long i;
	for (i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, (void *)i);
	inner(500);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}

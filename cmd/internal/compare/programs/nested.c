int b(int n);
int leaf(int n) { return n; }
int mid(int n) { leaf(n); return b(n) + leaf(n); }
int main(void) { int i; for (i = 0; i < 5; i++) mid(i); leaf(0); return 0; }

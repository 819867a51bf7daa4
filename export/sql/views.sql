-- how many events of each kind, the most frequent first
create view event_counts as
select recording, system, name, count(*) as events, min(ts) as first, max(ts) as last
from events group by recording, system, name order by events desc;

-- how many events of each thread, the busiest first
create view thread_counts as
select recording, tid, thread, count(*) as events, min(ts) as first, max(ts) as last
from events group by recording, tid, thread order by events desc;

-- where events were lost
create view losses as
select recording, ts, cpu, lost from events where lost <> 0;

-- waits for a processor by thread, the longest wait first
create view latency_by_thread as
select recording, tid, thread, count(dur) as waits, sum(dur) as total, cast(avg(dur) as integer) as mean,
  p50(dur) as p50, p95(dur) as p95, p99(dur) as p99, max(dur) as longest
from sched_latency group by recording, tid, thread order by longest desc;

-- the time of each thread in each state
create view states_by_thread as
select recording, tid, thread, state, count(*) as times, sum(dur) as total, max(dur) as longest
from thread_state group by recording, tid, thread, state order by total desc;

-- which threads wake which
create view waker_counts as
select recording, thread as waker, target as thread, count(*) as wakeups
from wakeups group by recording, waker, target order by wakeups desc;

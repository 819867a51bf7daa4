select count(*) from {events}
select name, count(*) from {events} group by name
select cpu, count(*) from {events} group by cpu
select tid, count(*) from {events} group by tid
select tid, cpu, count(*) from {events} group by tid, cpu
select system, count(*) from {events} group by system
select system, name, min(ts), max(ts) from {events} group by system, name
select min(ts), max(ts), count(distinct tid) from {events}
select count(*) from {events} where cpu = 0
select count(*) from {events} where cpu >= 1
select count(*) from {events} where cpu < 1 and tid > 0
select count(*) from {events} where ts >= {mid}
select count(*) from {events} where ts < {mid}
select count(*) from {events} where ts between {low} and {mid}
select count(*) from {events} where name = 'sched_switch'
select count(*) from {events} where name in ('sched_switch', 'sched_waking')
select count(*) from {events} where name like 'sched%'
select name, count(*) from {events} where ts > {low} and cpu = 1 group by name having count(*) > 3
select count(*) from {events} where tid in (select tid from {sched_switch} where cpu = 0)
select thread, count(*) from {events} group by thread
select pid, count(*) from {events} group by pid
select count(*), count(pid), count(thread) from {events}
select ts, cpu, tid, name from {events} where cpu = 0 order by ts, name limit 20
select distinct name from {events} where cpu = 1
select count(*) from {sched_switch}
select prev_state, count(*) from {sched_switch} group by prev_state
select prev_state_name, count(*) from {sched_switch} group by prev_state_name
select prev_comm, next_comm, count(*) from {sched_switch} group by prev_comm, next_comm
select next_comm, min(next_prio), max(next_prio), sum(next_prio) from {sched_switch} group by next_comm
select sum(next_pid), avg(prev_pid) from {sched_switch}
select * from (select ts, cpu, prev_pid, next_pid from {sched_switch} order by ts limit 10) t
select cpu, sum(next_pid) from {sched_switch} where prev_pid = 0 group by cpu
select count(*) from {sched_switch} where next_pid <> 0
select count(*) from {sched_switch} where next_comm = prev_comm
select count(*) from {sched_switch} where not next_pid = 0 and cpu is not null
select next_pid, count(*) from {sched_switch} where ts between {low} and {mid} group by next_pid order by 2 desc, 1 limit 5
select max(length(next_comm)) from {sched_switch}
select upper(next_comm), count(*) from {sched_switch} group by upper(next_comm)
select substr(next_comm, 1, 3), count(*) from {sched_switch} group by 1
select next_prio - prev_prio, count(*) from {sched_switch} group by 1
select case when next_pid = 0 then 'idle' else 'busy' end, count(*) from {sched_switch} group by 1
select cpu, ts - lag(ts) over (partition by cpu order by ts) from {sched_switch} order by ts limit 40
select next_pid, row_number() over (partition by cpu order by ts, next_pid) from {sched_switch} where cpu = 0
select sum(gap) from (select ts - lag(ts) over (partition by cpu order by ts) as gap from {sched_switch}) t
with busy as (select next_pid, count(*) as n from {sched_switch} group by next_pid) select max(n), min(n), count(*) from busy
select a.next_pid, count(*) from {sched_switch} a join {sched_switch} b on a.next_pid = b.prev_pid and b.ts > a.ts group by a.next_pid
select count(*) from {sched_switch} s join {sched_waking} w on w.pid_ = s.next_pid where w.ts < s.ts
select s.ts, max(w.ts) from {sched_switch} s left join {sched_waking} w on w.pid_ = s.next_pid and w.ts < s.ts group by s.ts order by s.ts limit 15
select count(*) from {sched_switch} s where exists (select 1 from {sched_waking} w where w.cpu = s.cpu and w.ts < s.ts)
select target_cpu, count(*) from {sched_waking} group by target_cpu
select comm, count(*) from {sched_waking} group by comm
select count(*) from {sched_waking} where target_cpu <> cpu
select prio, count(distinct pid_) from {sched_waking} group by prio
select name, n from (select 'switch' as name, count(*) as n from {sched_switch} union all select 'waking', count(*) from {sched_waking}) t
select next_pid from {sched_switch} intersect select pid_ from {sched_waking}
select next_pid from {sched_switch} except select pid_ from {sched_waking}
select sum(case when cpu = 0 then 1 else 0 end), sum(case when cpu = 1 then 1 else 0 end) from {sched_waking}
select runtime, tid from {sched_stat_runtime} order by ts limit 12
select comm, sum(runtime), max(runtime), count(*) from {sched_stat_runtime} group by comm
select sum(runtime), avg(runtime) from {sched_stat_runtime} where runtime > 100000
select p50(runtime), p95(runtime), p99(runtime) from {sched_stat_runtime}
select vec, vec_name, count(*) from {softirq_raise} group by vec, vec_name

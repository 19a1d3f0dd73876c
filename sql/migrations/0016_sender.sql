-- Who sent mail, by what a report vouches for (sql/report/sender.ts): to group and filter by. The load writes it; of reports
-- from before it is null, which shows as unknown, until "maintain" fills it in.
alter table report add column sender text;

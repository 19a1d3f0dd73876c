-- Where a blocked resource came from, seen from the page (sql/report/source-class.ts): to group and filter by. The load
-- writes it; of reports from before it is null, which counts as unknown, until "maintain" fills it in.
alter table report add column source_class text;

/**
 * A row of `daily_group` has the groups of a day, or of one hour where the name of its set begins with that hour:
 * `14:00 ACTION SOURCE_CLASS`. An earlier version, which may still serve, knows no such name and reads the reports.
 */
const OF_AN_HOUR = `dimensions like '__:00 %'`;
const PREFIX = 6;

/** The beginning of the names of an hour's rows. @param hour its number, in SQL */
export const prefixOf = (hour: string) => `to_char(${hour}, 'FM00":00 "')`;

/** The hour of a row, from 0 on; null where it is of a whole day. */
export const HOUR_OF_ROW = `case when ${OF_AN_HOUR} then left(dimensions, 2)::int end`;

/** The set of a row, without its hour. */
export const SET_OF_ROW = `case when ${OF_AN_HOUR} then substr(dimensions, ${PREFIX + 1}) else dimensions end`;

/** The bit of a report's hour: a day's hours that have changed are one number. */
export const HOUR_BIT = `1 << extract(hour from date at time zone 'UTC')::int`;

/** True of a row if a change in these hours of its day, as bits, is one of its reports. */
export const isTouchedBy = (hours: string) => `coalesce(${hours} >> (${HOUR_OF_ROW}) & 1 = 1, true)`;

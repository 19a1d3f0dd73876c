/**
 * A row of `daily_group` has the groups of a day, or of an hour if the name of its set begins with the hour: `14:00
 * ACTION SOURCE_CLASS`.
 */
const OF_AN_HOUR = `dimensions like '__:00 %'`;
const PREFIX = 6;

/** The prefix of the names of an hour's rows. @param hour in SQL */
export const toPrefix = (hour: string) => `to_char(${hour}, 'FM00":00 "')`;

/** The hour of a row, from 0 on; null if the row covers an entire day. */
export const HOUR_OF_ROW = `case when ${OF_AN_HOUR} then left(dimensions, 2)::int end`;

/** The set of a row, without its hour. */
export const SET_OF_ROW = `case when ${OF_AN_HOUR} then substr(dimensions, ${PREFIX + 1}) else dimensions end`;

/** The bit of a report's hour: the changed hours of a day form one number. */
export const HOUR_BIT = `1 << extract(hour from date at time zone 'UTC')::int`;

/** True for a row whose reports are affected by changes in these hours of its day, given as bits. */
export const isTouchedBy = (hours: string) => `coalesce(${hours} >> (${HOUR_OF_ROW}) & 1 = 1, true)`;

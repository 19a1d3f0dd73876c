/** The seconds since 1970 of an instant in SQL. Rounded down, so that a period from the first report on contains it. */
export const toSeconds = (instant: string) => `floor(extract(epoch from ${instant}))::bigint`;

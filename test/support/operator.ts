import type { CommandConnection, Parameter } from '@sightline/pg-client';
import { connectOperator as connect } from '../../sql/operator/connect.ts';

/** A value in a template, and its parameter. */
type Value = Parameter | Date | Buffer;

/** An operator's connection that also accepts template literals, whose values become parameters. */
export interface Operator extends CommandConnection {
  // biome-ignore lint/suspicious/noExplicitAny: the test says what rows are, where that matters
  <Rows extends readonly object[] = any[]>(text: TemplateStringsArray, ...values: Value[]): Promise<Rows>;
}

export function connectOperator(url: string): Operator {
  const connection = connect(url);
  const query = (pieces: TemplateStringsArray, ...values: Value[]) =>
    connection.query(
      pieces.reduce((text, piece, place) => `${text}$${place}${piece}`),
      values.map(sent),
    );
  return Object.assign(query, {
    query: connection.query.bind(connection),
    begin: connection.begin.bind(connection),
    transaction: connection.transaction.bind(connection),
    end: connection.end.bind(connection),
  }) as unknown as Operator;
}

function sent(value: Value): Parameter {
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
}

import { useState } from 'preact/hooks';
import type { Address } from '../address.ts';
import { type GroupBy, GroupsDocument } from '../documents/documents.generated.ts';
import { orderIn, toQuestion } from '../filters.ts';
import { newIn, periodIn } from '../period.ts';
import type { ReportTypeView } from '../report-types.ts';
import { useAnswer } from '../use-answer.ts';

interface Extent {
  size: number;
  /** The search text, as typed. */
  text: string;
  /** Domains whose hosts are listed separately. */
  open: readonly string[];
}

/**
 * A hook for the number of rows that a table shows. A new query resets it without remounting the table, so the focus is
 * kept.
 */
export function useExtent(question: string, initial: number) {
  const [stored, setStored] = useState<Extent & { question: string }>();
  const extent: Extent = stored?.question === question ? stored : { size: initial, text: '', open: [] };
  return [extent, (next: Extent) => setStored({ ...next, question })] as const;
}

interface Table {
  by: GroupBy[];
  view: ReportTypeView;
  account: string;
  address: Address;
}

/** A hook that loads up to a thousand groups on request; undefined until they have loaded. */
export function useMore(table: Table, isAsked: boolean) {
  const { by, view, account, address } = table;
  const period = periodIn(address);
  const { since, past } = newIn(period);
  const { notNoise: _, ...question } = toQuestion(address, view);
  const instants = { past: new Date(past).toISOString(), since: new Date(since).toISOString() };
  const variables = { account, type: view.type, ...question, by, orderBy: orderIn(address)[0], ...instants };
  const { answer, isCurrent } = useAnswer(GroupsDocument, isAsked ? variables : undefined, address);
  const found = isAsked && isCurrent ? answer?.data.account : undefined;
  return found?.groups && found.fresh ? { groups: found.groups, fresh: found.fresh } : undefined;
}

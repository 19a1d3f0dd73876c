import { useState } from 'preact/hooks';
import type { Address } from '../address.ts';
import { type GroupBy, GroupsDocument } from '../documents/documents.generated.ts';
import { orderIn, questionOf } from '../filters.ts';
import { newIn, periodIn } from '../period.ts';
import type { ReportTypeView } from '../report-types.ts';
import { useAnswer } from '../use-answer.ts';

interface Extent {
  size: number;
  /** The text to find in the groups, as it was typed. */
  text: string;
}

/** The part of a table that is shown. The table itself stays, and with it the focus of a visitor. */
export function useExtent(question: string, usual: number) {
  const [kept, setKept] = useState<Extent & { question: string }>();
  const extent = kept?.question === question ? kept : { size: usual, text: '' };
  return [extent, (next: Extent) => setKept({ ...next, question })] as const;
}

interface Table {
  by: GroupBy[];
  view: ReportTypeView;
  account: string;
  address: Address;
}

/** A thousand groups, once they are asked for; undefined until they are there. */
export function useMore(table: Table, isAsked: boolean) {
  const { by, view, account, address } = table;
  const period = periodIn(address);
  const { since, past } = newIn(period);
  const { notNoise: _, ...question } = questionOf(address, view);
  const instants = { past: new Date(past).toISOString(), since: new Date(since).toISOString() };
  const variables = { account, type: view.type, ...question, by, orderBy: orderIn(address)[0], ...instants };
  const { answer, isCurrent } = useAnswer(GroupsDocument, isAsked ? variables : undefined, address);
  const found = isAsked && isCurrent ? answer?.data.account : undefined;
  return found?.groups && found.fresh ? { groups: found.groups, fresh: found.fresh } : undefined;
}

import type { EvidenceQuery } from '../documents.generated.ts';

export type EvidenceAnswer = NonNullable<EvidenceQuery['viewer']>;

export type Groups = EvidenceAnswer['loaded'];

/** A verdict on scripts; `*` in its subject stands for any characters. */
export type ScriptVerdict = EvidenceAnswer['verdicts'][number];

type Finding = EvidenceAnswer['watches'][number]['findings'][number];

export type SentPolicy = Extract<Finding, { policy: string }>;

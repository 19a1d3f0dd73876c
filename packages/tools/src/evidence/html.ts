import { createHash } from 'node:crypto';
import type { Evidence } from './evidence.ts';
import type { Script, Status } from './inventory.ts';
import type { ScriptVerdict } from './question.ts';
import type { Week } from './weeks.ts';

const STYLE = `
:root { font: 14px/1.4 system-ui, sans-serif; color: #1c1c1c; background: #fff; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 0 0 2rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid #ccc; }
td { overflow-wrap: anywhere; }
.unauthorised, .changed { font-weight: 600; color: #a30000; }
@media print { body { margin: 0; } tr { break-inside: avoid; } }
`;

const WORDS: Readonly<Record<Status, string>> = {
  authorised: 'authorised',
  unauthorised: 'not authorised',
  changed: 'authorised, but its content has changed',
};

/** Formats the evidence as a printable HTML page. It contains no script, and reported texts are escaped. */
export function toHtml(evidence: Evidence): string {
  const { scope, scripts, gone, policies, weeks, limits, isCut } = evidence;
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const title = `Scripts of ${scope.site}, ${day(scope.from)} to ${day(scope.to)}`;
  const open = scripts.filter(({ status }) => status !== 'authorised').length;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width">
<title>${text(title)}</title>
<style>${STYLE}</style>
<h1>${text(title)}</h1>
<p>Paths: ${scope.paths.length > 0 ? scope.paths.map(text).join(', ') : 'all'}. Times are UTC.
${scripts.length} scripts were reported, of which ${open} are not authorised as they are.</p>
${isCut ? '<p class="changed">There were more than 1,000 combinations: the inventory is incomplete. Choose fewer paths or a shorter period.</p>' : ''}
<h2>Inventory</h2>
${table(['Script', 'State', 'Owner and reason', 'Approved', 'Hashes', 'First and last seen', 'Pages'], scripts.map(scriptRow))}
<h2>Authorised, but not reported</h2>
${table(
  ['Script', 'Owner and reason', 'Approved'],
  gone.map(one => [text(one.subject), reason(one), approval(one)]),
)}
<h2>Policies that the site sent</h2>
${table(
  ['Policy', 'Effect', 'First and last seen'],
  policies.map(({ policy, enforced, firstSeen, lastSeen }) => [
    text(policy),
    enforced ? 'enforced' : 'only reported',
    span({ firstSeen, lastSeen }),
  ]),
)}
<h2>Week by week</h2>
${table(['Week from', 'Reports', 'New scripts', 'Not authorised', 'New policies'], weeks.map(weekRow))}
<h2>What this does not show</h2>
<ul>${limits.map(limit => `<li>${text(limit)}</li>`).join('')}</ul>
<p>This is evidence for a review, such as PCI DSS 6.4.3 and 11.6.1 ask for. It is no proof of compliance.</p>
</html>
`;
}

const PAGES = 10;

function scriptRow(script: Script): string[] {
  const { address, status, verdict, hashes, foreignHashes, pages } = script;
  const shown = pages.length > PAGES ? [...pages.slice(0, PAGES), `and ${pages.length - PAGES} more`] : pages;
  return [
    text(address),
    `<span class="${status}">${WORDS[status]}</span>`,
    verdict ? reason(verdict) : '',
    verdict ? approval(verdict) : '',
    hashes
      .map(hash => (foreignHashes.includes(hash) ? `<span class="changed">${text(hash)}</span>` : text(hash)))
      .join('<br>'),
    span(script),
    lines(shown),
  ];
}

/**
 * Returns the cells of a week. A week without reports shows no counts, because it must not look like a week without
 * changes.
 */
function weekRow({ from, reports, isAhead, newScripts, unauthorised, newPolicies }: Week): string[] {
  if (isAhead) return [from, '', 'not yet', '', ''];
  if (newScripts.length > 0 || newPolicies > 0)
    return [from, String(reports), lines(newScripts), lines(unauthorised), String(newPolicies)];
  if (reports === 0) return [from, '0', '<span class="changed">nothing received</span>', '', ''];
  return [from, String(reports), 'no change', '', ''];
}

const reason = ({ owner, reason }: ScriptVerdict) =>
  owner === null ? text(reason) : `${text(owner)}: ${text(reason)}`;

const approval = ({ decidedBy, decidedAt }: ScriptVerdict) => `${text(decidedBy)}, ${day(decidedAt)}`;

const span = ({ firstSeen, lastSeen }: { firstSeen: string; lastSeen: string }) =>
  `${minute(firstSeen)}<br>${minute(lastSeen)}`;

const day = (instant: string) => new Date(instant).toISOString().slice(0, 10);
const minute = (instant: string) => new Date(instant).toISOString().slice(0, 16).replace('T', ' ');
const lines = (texts: readonly string[]) => texts.map(text).join('<br>');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  const cells = (tag: string, values: readonly string[]) =>
    `<tr>${values.map(value => `<${tag}>${value}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', head)}${rows.map(row => cells('td', row)).join('\n')}</table>`;
}

/** Matches characters that are invisible or change the text direction. */
const INVISIBLE = /[\p{Cf}\p{Cc}\u2028\u2029]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function text(value: string): string {
  return value
    .replace(/[&<>"']/g, character => ENTITIES[character]!)
    .replace(
      INVISIBLE,
      character => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );
}

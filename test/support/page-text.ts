import type { PageNode } from './page-dom.ts';

/** Elements that continue a line. */
const INLINE =
  /^(a|bdi|button|code|input|label|option|select|span|strong|summary|th|td|dt|dd|time|datalist|h\d|)$/;
/** Attributes that visitors or screen readers notice. */
const NOTICED = [
  ...['title', 'aria-label', 'aria-sort', 'aria-current', 'role', 'name', 'type', 'min', 'max', 'maxlength'],
  ...['list', 'placeholder', 'required', 'disabled', 'target', 'rel', 'id'],
];
const STATES = ['aria-pressed', 'aria-checked', 'aria-expanded', 'aria-busy'];
const CLASSES = /\b(warn|noise|stale|urgent|not|later|aside|good|bad|within)\b/;

/** Writes an element as lines of text: links with their addresses, controls with their states. */
export function toText(node: PageNode): string {
  const lines = writeNode(node)
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trim())
    .filter(line => line !== '')
    .map(shortenQuery);
  return collapseRows(lines).join('\n');
}

/** Rows of a chart's table that only have zeros are counted, except for the first and the last. */
function collapseRows(lines: readonly string[]): string[] {
  const collapsed: string[] = [];
  let zeros = 0;
  for (const [at, line] of lines.entries()) {
    zeros = line.endsWith(' | 0') && !/\| [^0 ]/.test(line) ? zeros + 1 : 0;
    const isNextAlike = (lines[at + 1] ?? '').endsWith(' | 0') && !/\| [^0 ]/.test(lines[at + 1]!);
    if (zeros < 2) collapsed.push(line);
    else if (!isNextAlike) collapsed.push(`(${zeros - 1} more without reports, the last is ${line})`);
  }
  return collapsed;
}

/** The query of a view is the same at each address. */
const shortenQuery = (line: string) =>
  line.replace(/(-d '\{"query":"query \w+).*?","variables"/, '$1 …","variables"');

function writeNode(node: PageNode): string {
  const { localName: name, attributes } = node;
  if (name === '') return String(node.data);
  if (name === 'svg' && !attributes.has('aria-label')) return '';
  const parts = name === 'svg' ? [] : node.childNodes.map(writeNode);
  const content =
    name === 'select' || name === 'datalist' ? listOptions(parts) : parts.join(name === 'tr' ? ' | ' : '');
  const kind = CLASSES.exec(attributes.get('class') ?? '')?.[0];
  const text = writeElement(node, `${kind ? `!${kind} ` : ''}${content}${describeAttributes(node, content)}`);
  return INLINE.test(name) ? text : `\n${text}\n`;
}

function listOptions(options: readonly string[]): string {
  const [first, ...others] = options;
  const last = others.pop();
  const selected = others.filter(option => option.includes('*'));
  const shown =
    options.length < 7
      ? options
      : [first, `and ${others.length - selected.length} others`, ...selected, last];
  return `(${shown.join(', ')})`;
}

function describeAttributes({ attributes }: PageNode, content: string): string {
  const given = NOTICED.flatMap(key => {
    const value = attributes.get(key)?.replace(/\n.* for you$/, ' +');
    const isShown =
      value === undefined ||
      value === content.trim() ||
      (key === 'aria-label' && value === attributes.get('title'));
    return isShown || (key === 'type' && /^(button|submit)$/.test(value)) ? [] : `${key}=${value}`;
  });
  const states = STATES.flatMap(key => (attributes.get(key) === 'true' ? key.slice(5) : []));
  const all = [...given, ...states];
  return all.length > 0 ? ` {${all.join('; ')}}` : '';
}

function writeElement({ localName: name, attributes, value, checked }: PageNode, text: string): string {
  if (name === 'a') return ` [${text}](${attributes.get('href')}) `;
  if (name === 'button') return ` <${text}> `;
  if (name === 'input') return ` <input ${String(value)}${checked ? ' checked' : ''}${text}> `;
  if (name === 'option') return `${attributes.has('selected') ? '*' : ''}${text || String(value)}`;
  if (/^h\d$/.test(name)) return `\n${'#'.repeat(Number(name[1]))} ${text}\n`;
  if (name === 'dt') return `${text}: `;
  if (name === 'th' || name === 'td' || name === 'time') return text.replaceAll('\n', ' ');
  return text;
}

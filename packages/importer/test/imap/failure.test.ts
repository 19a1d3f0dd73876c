import { CommandFailed } from '@sightline/tools';
import { expect, it } from 'vitest';
import { parseMailboxAddress } from '../../src/imap/address.ts';
import { type MailboxFailed, toMailboxFailed } from '../../src/imap/failure.ts';

const address = parseMailboxAddress('imaps://ann@acme.example@imap.acme.example/INBOX');

it.each<[object, RegExp, boolean]>([
  [{ code: 'ENOTFOUND' }, /has no address .*DNS/, true],
  [{ code: 'EAI_AGAIN' }, /has no address \(EAI_AGAIN\)/, true],
  [{ code: 'ETHROTTLE' }, /refuses temporarily \(too many requests\)/, true],
  ...['LIMIT', 'UNAVAILABLE', 'INUSE', 'SERVERBUG', 'CONTACTADMIN', 'ALERT'].map(
    (serverResponseCode): [object, RegExp, boolean] => [{ serverResponseCode }, /refuses temporarily/, true],
  ),
  [{ responseText: 'Unsupported authentication mechanism' }, /does not support this kind of login/, false],
  [{ tlsFailed: true }, /does not use TLS on port 993/, false],
  [{ code: 'EPROTO' }, /does not use TLS on port 993/, false],
  [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, /does not use TLS on port 993/, false],
  [{ code: 'ECONNREFUSED' }, /does not listen on port 993/, true],
  [{ code: 'CONNECT_TIMEOUT' }, /did not answer in time on port 993/, true],
  [{ code: 'ETIMEOUT' }, /did not answer in time/, true],
  [
    { serverResponseCode: 'OVERQUOTA', responseText: 'too much today' },
    /temporarily \(OVERQUOTA\): too much today/,
    true,
  ],
  [{ authenticationFailed: true, serverResponseCode: 'UNAVAILABLE' }, /refuses temporarily/, true],
  [
    { authenticationFailed: true, response: 'no\r\n\x1b[2Jway' },
    /login of ann@acme.example: no \[2Jway\./,
    false,
  ],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /untrusted certificate.*--ca/, false],
  [{ tlsFailed: true, message: 'Server does not support STARTTLS' }, /no STARTTLS on port 993/, false],
  [{ code: 'EConnectionClosed' }, /was lost.*network/, true],
  [{ responseStatus: 'NO', responseText: 'not now.' }, /was lost: not now\. Check the network\.$/, true],
])('a failure names the cause and the next step: %o', (error, message, isPassing) => {
  const failed = toMailboxFailed(Object.assign(new Error('x'), error), address) as MailboxFailed;
  expect([failed.message, failed.isPassing]).toEqual([expect.stringMatching(message), isPassing]);
});

it('a failure repeats at most 200 characters of the server', () => {
  const response = 'x'.repeat(300);
  const { message } = toMailboxFailed(Object.assign(new Error('y'), { response }), address);
  expect(message).toBe(
    `The connection to imap.acme.example was lost: ${'x'.repeat(200)}. Check the network.`,
  );
});

it.each([
  ['imaps://a@h', { user: 'a', host: 'h', port: 993, folder: '', isSecure: true }],
  [
    'imap://a%2Fb@[::1]:1143/A%20B/C',
    { user: 'a/b', host: '::1', port: 1143, folder: 'A B/C', isSecure: false, name: 'a/b@[::1]:1143' },
  ],
  ['imap://a@h', { port: 143, isSecure: false, name: 'a@h:143' }],
  ['imaps://ann@acme.example@h/x', { user: 'ann@acme.example', folder: 'x' }],
])('a mailbox address is parsed: %s', (text, expected) =>
  expect(parseMailboxAddress(text)).toMatchObject(expected),
);

it.each([
  ['', 'is not an address'],
  ['x', 'is not an address'],
  ['https://a@h/', 'is not an address'],
  ['ximaps://a@h/', 'is not an address'],
  ['imapss://a@h/', 'is not an address'],
  ['imaps://h/', 'names no user'],
  ['imaps://a@/', 'is not an address'],
  ['imaps:///x', 'names no user'],
  ['imaps://a:secret@h/', 'has a password, which other users of this machine can read'],
  ['imaps://a@h/%zz', 'contains an invalid character'],
  ['imaps://%zz@h/', 'contains an invalid character'],
  ['imaps://a%0a@h/', 'contains an invalid character'],
  ['imaps://a@h/?secret', 'has more than a folder after the server'],
  ['imaps://a@h/#secret', 'has more than a folder after the server'],
  ['imaps://a@h/secret%0a', 'contains an invalid character'],
])('an invalid mailbox address is rejected without repeating the secret: %s', (text, problem) => {
  const refused = () => parseMailboxAddress(text);
  expect(refused).toThrow(/^--imap (?!.*secret)/);
  expect(refused).toThrow(`--imap ${problem}`);
});

it('a server that refuses a step is told from a lost connection', () => {
  const refuse = (error: object, doing?: string) => {
    const failed = toMailboxFailed(Object.assign(new Error('gone'), error), address, doing) as MailboxFailed;
    return [failed.message, failed.isPassing];
  };
  const answer = { responseStatus: 'NO', responseText: 'no such\r\n folder.' };
  expect(refuse(answer, 'the folder "x"')).toEqual([
    'imap.acme.example refuses the folder "x": no such  folder.',
    false,
  ]);
  expect(refuse({}, 'the folder "x"')).toEqual([
    'The connection to imap.acme.example was lost at the folder "x": gone. Check the network.',
    true,
  ]);
});

it('an error that already names its cause stays as it is', () => {
  const error = new CommandFailed('--ca is missing');
  expect(toMailboxFailed(error, address)).toBe(error);
});

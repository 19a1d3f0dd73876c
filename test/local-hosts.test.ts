import { expect, it } from 'vitest';
import { isLocal, parseMailboxAddress } from '../packages/importer/src/imap/address.ts';
import { isPrivate } from '../packages/tools/src/alert/deliver.ts';
import { checkEncryption } from '../src/doctor/server.ts';

/** Each check that allows an unencrypted connection to a host on this machine. */
const CHECKS: [string, (host: string) => boolean][] = [
  ['the receiver of alerts', host => isPrivate(new URL(`http://${host}/`))],
  ['the mail server of an import', host => isLocal(parseMailboxAddress(`imap://ann@${host}/`))],
  [
    'the database that doctor examines',
    host => checkEncryption(`postgres://ann@${host}/x`, false, 'DATABASE_URL').level === 'ok',
  ],
];

const HERE = ['localhost', '127.0.0.1', '127.8.0.1', '[::1]'];
const ELSEWHERE = [
  ...['localhost.example.com', '127.0.0.1.example.com', 'notlocalhost', 'local-host'],
  ...['my127.0.0.1.example.com', '128.0.0.1', '[::2]', '[::1:0]'],
];

it.each(CHECKS)('%s can be reached without encryption only on this machine', (_, isHere) => {
  expect([...HERE, ...ELSEWHERE].filter(isHere)).toEqual(HERE);
});

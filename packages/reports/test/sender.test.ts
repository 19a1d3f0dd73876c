import { describe, expect, it } from 'vitest';
import { senderOf } from '../src/sender.ts';

const pass = (domain: string) => ({ domain, result: 'pass' });

describe('the sender of mail', () => {
  const mail = {
    organisation: 'Example Post Ltd',
    headerFrom: 'news.acme.example',
    sourceIp: '192.0.2.77',
    dkimResults: [{ domain: 'evil.example', result: 'fail' }, pass('acme.example'), pass('s1.mailing.co.uk')],
    spfResults: [pass('bounce.other.example')],
  };

  it.each([
    ['the organisation', mail, 'Example Post Ltd'],
    ['the signature of another domain than the From header', { ...mail, organisation: '' }, 'mailing.co.uk'],
    [
      'the own signature, where there is no other',
      { ...mail, organisation: null, dkimResults: [pass('acme.example')] },
      'acme.example',
    ],
    ['the SPF domain', { ...mail, organisation: '', dkimResults: [] }, 'other.example'],
    [
      'the network, where nothing passed',
      { sourceIp: '192.0.2.77', spfResults: [{ domain: 'x.example', result: 'softfail' }] },
      '192.0.2.0/24',
    ],
    ['a network of IPv6', { sourceIp: '2001:DB8::7:0:0:0:1' }, '2001:db8:0:7::/64'],
    ['one that is written short', { sourceIp: '2001:db8::1' }, '2001:db8::/64'],
    ['an IPv4 address written as IPv6', { sourceIp: '::ffff:192.0.2.7' }, '192.0.2.0/24'],
    ['a name without a public suffix', { dkimResults: [pass('Mail.')] }, 'mail'],
    ['nothing', {}, ''],
    ['nonsense', { sourceIp: 'x', dkimResults: [null, 7, {}], spfResults: 'x', organisation: 7 }, ''],
    ['a name that is too long', { spfResults: [pass('a.'.repeat(200))] }, ''],
  ])('is %s', (_, given, expected) => {
    expect(senderOf(given)).toBe(expected);
  });
});

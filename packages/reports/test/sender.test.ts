import { describe, expect, it } from 'vitest';
import { identifySender } from '../src/sender.ts';

const pass = (domain: string) => ({ domain, result: 'pass' });

describe('the mail sender', () => {
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
      'the aligned signature if there is no other',
      { ...mail, organisation: null, dkimResults: [pass('acme.example')] },
      'acme.example',
    ],
    ['the SPF domain', { ...mail, organisation: '', dkimResults: [] }, 'other.example'],
    [
      'the network if nothing passed',
      { sourceIp: '192.0.2.77', spfResults: [{ domain: 'x.example', result: 'softfail' }] },
      '192.0.2.0/24',
    ],
    ['an IPv6 network', { sourceIp: '2001:DB8::7:0:0:0:1' }, '2001:db8:0:7::/64'],
    ['a network of an abbreviated IPv6 address', { sourceIp: '2001:db8::1' }, '2001:db8::/64'],
    ['an IPv4 address written as IPv6', { sourceIp: '::ffff:192.0.2.7' }, '192.0.2.0/24'],
    ['an IPv4 address written as IPv6, with a zone', { sourceIp: '::ffff:192.0.2.7%eth0' }, '192.0.2.0/24'],
    ['a name without a public suffix', { dkimResults: [pass('Mail.')] }, 'mail'],
    ['an IPv6 network of zeros', { sourceIp: '::1' }, '::/64'],
    ['an IPv6 network without its zone', { sourceIp: 'fe80::1%eth0' }, 'fe80::/64'],
    ['an IPv6 network with a zero at the end', { sourceIp: '2001:db8:1::1' }, '2001:db8:1::/64'],
    ['a result in capitals', { spfResults: [{ domain: 'a.Example', result: 'PASS' }] }, 'a.example'],
    ['no IP address of a result', { spfResults: [pass('192.0.2.1')], sourceIp: '192.0.2.9' }, '192.0.2.0/24'],
    [
      'the first of several other signatures',
      { headerFrom: 'a.example', dkimResults: [pass('b.example'), pass('c.example')] },
      'b.example',
    ],
    ['nothing', {}, ''],
    ['nonsense', { sourceIp: 'x', dkimResults: [null, 7, {}], spfResults: 'x', organisation: 7 }, ''],
    ['empty for a name that is too long', { spfResults: [pass('a.'.repeat(200))] }, ''],
  ])('is identified as %s', (_, given, expected) => {
    expect(identifySender(given)).toBe(expected);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, names, open, personal, plan, report } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
});
afterAll(() => service.close());

const finder = (type: string, name: string) => async (value: string) => {
  const query = `unit=days&date=2026-05-20&${name}=${encodeURIComponent(value)}`;
  return names(await service.get(`/v1/reports/${type}?${query}`, key)).sort();
};

describe('a host name filter', () => {
  const find = finder('coep', 'hostnames');

  beforeAll(async () => {
    const pages = {
      apex: 'https://example.com/',
      www: 'https://www.example.com/',
      deep: 'https://a.b.example.com/',
      port: 'https://port.example.com:8443/',
      dot: 'https://dot.example.com./',
      upper: 'HTTPS://UPPER.Example.COM/',
      near: 'https://badexample.com/',
      longer: 'https://example.com.evil.test/',
      umlaut: 'https://bücher.example/',
      punycode: 'https://shop.xn--bcher-kva.example/',
      underscore: 'https://a_b.example.net/',
      letter: 'https://axb.example.net/',
      ipv4: 'https://192.0.2.1/',
      ipv6: 'https://[2001:db8::1]:8443/',
      user: 'https://user:pass@account.example.net/',
      none: '',
      keyword: 'inline',
      local: 'file:///etc/passwd',
    };
    const lines = Object.entries(pages).map(([name, uri]) => report('ada', 'coep', name, { uri }));
    await service.load(...lines);
  });

  it('without a wildcard matches exactly', async () => {
    expect(await find('example.com')).toEqual(['apex']);
    expect(await find('www.example.com')).toEqual(['www']);
    expect(await find('xample.com')).toEqual([]);
    expect(await find('example.co')).toEqual([]);
    expect(await find('b.example.com')).toEqual([]);
  });

  it('with a leading wildcard matches subdomains at any depth, but not the name itself', async () => {
    expect(await find('*.example.com')).toEqual(['deep', 'dot', 'port', 'upper', 'www']);
    expect(await find('*example.com')).toEqual(['apex', 'deep', 'dot', 'near', 'port', 'upper', 'www']);
    expect(await find('*.b.example.com')).toEqual(['deep']);
  });

  it('compares long values up to the last character', async () => {
    const long = `/${'long/'.repeat(100)}`;
    await service.load(
      ...['', 'x', 'y'].map(end =>
        report('ada', 'coop', `long${end}`, { uri: `https://example.com${long}${end}` }),
      ),
    );
    const findLong = finder('coop', 'paths');
    expect(await findLong(long)).toEqual(['long']);
    expect(await findLong(`${long}x`)).toEqual(['longx']);
    expect(await findLong(`${long}x,${long}y,/a`)).toEqual(['longx', 'longy']);
    expect(await findLong(long.slice(0, 255))).toEqual([]);
    expect(await findLong(`${long}*`)).toEqual(['long', 'longx', 'longy']);
    expect(await findLong(`${long}y*`)).toEqual(['longy']);
  });

  it('accepts wildcards at any position, which also match the empty string', async () => {
    expect(await find('example.com*')).toEqual(['apex', 'longer']);
    expect(await find('example.*')).toEqual(['apex', 'longer']);
    expect(await find('ex*le.com')).toEqual(['apex']);
    expect(await find('*.b.*.com')).toEqual(['deep']);
    expect(await find('w*w.example.com')).toEqual(['www']);
    expect(await find('www*.example.com')).toEqual(['www']);
    expect(await find('wwww*.example.com')).toEqual([]);
    expect(await find('*a*.example.net')).toEqual(['letter', 'underscore', 'user']);
    expect(await find('**.example**.net')).toEqual(['letter', 'underscore', 'user']);
  });

  it('with only a wildcard matches every host, but no report without a host', async () => {
    const all = await find('*');
    expect(all).toContain('ipv6');
    expect(all).not.toContain('none');
    expect(all).not.toContain('keyword');
    expect(all).not.toContain('local');
    expect(await find('***')).toEqual(all);
  });

  it('ignores case, ports and trailing dots', async () => {
    expect(await find('UPPER.EXAMPLE.COM')).toEqual(['upper']);
    expect(await find('port.example.com')).toEqual(['port']);
    expect(await find('port.example.com:443')).toEqual(['port']);
    expect(await find('port.example.com:*')).toEqual(['port']);
    expect(await find('dot.example.com')).toEqual(['dot']);
    expect(await find('dot.example.com.')).toEqual(['dot']);
    expect(await find('dot.example.com.:8443')).toEqual(['dot']);
    expect(await find('*.COM.')).toEqual(['apex', 'deep', 'dot', 'near', 'port', 'upper', 'www']);
  });

  it('compares hosts in Punycode, regardless of the given form', async () => {
    expect(await find('bücher.example')).toEqual(['umlaut']);
    expect(await find('BÜCHER.example')).toEqual(['umlaut']);
    expect(await find('xn--bcher-kva.example')).toEqual(['umlaut']);
    expect(await find('XN--BCHER-KVA.example')).toEqual(['umlaut']);
    expect(await find('*.bücher.example')).toEqual(['punycode']);
    expect(await find('bücher。example')).toEqual(['umlaut']);
  });

  it('can be an IP address', async () => {
    expect(await find('192.0.2.1')).toEqual(['ipv4']);
    expect(await find('192.0.2.*')).toEqual(['ipv4']);
    expect(await find('[2001:db8::1]')).toEqual(['ipv6']);
    expect(await find('[2001:DB8:0::1]:443')).toEqual(['ipv6']);
    expect(await find('2001:db8::1')).toEqual(['ipv6']);
  });

  it('matches %, _ and \\ literally', async () => {
    expect(await find('a_b.example.net')).toEqual(['underscore']);
    expect(await find('a_b.*')).toEqual(['underscore']);
    expect(await find('*_*')).toEqual(['underscore']);
    expect(await find('%')).toEqual([]);
    expect(await find('%.example.com')).toEqual([]);
    expect(await find('*%*')).toEqual([]);
    expect(await find('*\\*')).toEqual([]);
    expect(await find('a\\_b.*')).toEqual([]);
  });

  it('can be a list', async () => {
    expect(await find('example.com, www.example.com ,ipv4.example')).toEqual(['apex', 'www']);
    expect(await find('*.b.example.com,192.*')).toEqual(['deep', 'ipv4']);
    const query = 'unit=days&date=2026-05-20&hostnames=example.com&hostnames=192.0.2.1,www.example.com';
    const found = names(await service.get(`/v1/reports/coep?${query}`, key)).sort();
    expect(found).toEqual(['apex', 'ipv4', 'www']);
  });

  it('accepts 253 characters', async () => {
    const label = (letter: string) => letter.repeat(62);
    const host = `${label('a')}.${label('b')}.${label('c')}.${label('d')}.e`;
    expect(host).toHaveLength(253);
    await service.load(report('ada', 'coop', 'longest', { uri: `https://${host}/` }));
    expect(await finder('coop', 'hostnames')(host)).toEqual(['longest']);
    expect(await finder('coop', 'hostnames')(`*${host.slice(1)}`)).toEqual(['longest']);
  });
});

describe('a path filter', () => {
  const find = finder('crash', 'paths');

  beforeAll(async () => {
    const paths = {
      root: '',
      query: '/a?b=/c',
      fragment: '/a#/d',
      slash: '/a/',
      below: '/a/b/c',
      upper: '/A',
      space: '/a b',
      encoded: '/a%20b',
      percent: '/100%25',
      underscore: '/a_b',
      letter: '/axb',
      star: '/a*b',
      umlaut: '/ä/ö',
      quote: "/it's(1)",
    };
    const lines = Object.entries(paths).map(([name, path]) =>
      report('ada', 'crash', name, { uri: `https://example.com${path}` }),
    );
    const strange = report('ada', 'crash', 'backslash', { uri: 'app://host/a\\b' });
    await service.load(...lines, strange, report('ada', 'crash', 'none'));
  });

  it('without a wildcard matches exactly and case-sensitively', async () => {
    expect(await find('/a')).toEqual(['fragment', 'query']);
    expect(await find('/A')).toEqual(['upper']);
    expect(await find('/a/')).toEqual(['slash']);
    expect(await find('/')).toEqual(['root']);
    expect(await find('/a/b')).toEqual([]);
  });

  it('ignores the query and fragment of pages', async () => {
    expect(await find('/a')).toEqual(['fragment', 'query']);
    expect(await find('*c')).toEqual(['below']);
    expect(await find('*d')).toEqual([]);
  });

  it('accepts wildcards at any position, which also match the empty string', async () => {
    expect(await find('/a/*')).toEqual(['below', 'slash']);
    expect(await find('/a*/c')).toEqual(['below']);
    expect(await find('*/b/*')).toEqual(['below']);
    expect(await find('/*/*/*')).toEqual(['below']);
    expect(await find('/a/b/c*')).toEqual(['below']);
    expect(await find('/a*b')).toEqual(['backslash', 'encoded', 'letter', 'space', 'star', 'underscore']);
    expect(await find('*')).not.toContain('none');
    expect(await find('*')).toHaveLength(15);
  });

  it('matches %, _ and \\ literally', async () => {
    expect(await find('/a_b')).toEqual(['underscore']);
    expect(await find('/a_*')).toEqual(['underscore']);
    expect(await find('*_b')).toEqual(['underscore']);
    expect(await find('/100%25')).toEqual(['percent']);
    expect(await find('/1*%*')).toEqual(['percent']);
    expect(await find('/%')).toEqual([]);
    expect(await find('*\\*')).toEqual(['backslash']);
    expect(await find('/a\\b')).toEqual(['backslash']);
    expect(await find('/a\\*')).toEqual(['backslash']);
  });

  it('matches paths in encoded and decoded form', async () => {
    expect(await find('/a b')).toEqual(['encoded', 'space']);
    expect(await find('/a%20b')).toEqual(['encoded', 'space']);
    expect(await find('/ä/ö')).toEqual(['umlaut']);
    expect(await find('/%C3%A4/%C3%B6')).toEqual(['umlaut']);
    expect(await find('/ä/*')).toEqual(['umlaut']);
    expect(await find("/it's(1)")).toEqual(['quote']);
  });
});

describe('a host name filter of certificates', () => {
  const find = finder('certificate_transparency', 'hostnames');

  it('matches any host name of a certificate, and matches wildcard certificates literally', async () => {
    const certificate = (name: string, ...hostnames: string[]) =>
      report('ada', 'certificate_transparency', name, { hostnames });
    await service.load(
      certificate('two', 'example.com', 'www.example.com'),
      certificate('wild', '*.example.com'),
      certificate('umlaut', 'BÜCHER.example.'),
      certificate('none'),
    );
    expect(await find('www.example.com')).toEqual(['two']);
    expect(await find('example.com')).toEqual(['two']);
    expect(await find('*.example.com')).toEqual(['two', 'wild']);
    expect(await find('a.example.com')).toEqual([]);
    expect(await find('xn--bcher-kva.example')).toEqual(['umlaut']);
    expect(await find('no.example,*.example')).toEqual(['umlaut']);
    expect(await find('*')).toEqual(['two', 'umlaut', 'wild']);
  });
});

describe('a text filter', () => {
  it('for a substring ignores case, including non-ASCII letters', async () => {
    const find = finder('nel', 'organisation');
    await service.load(
      report('ada', 'nel', 'umlaut', { organisation: 'Österreichische Netze' }),
      report('ada', 'nel', 'signs', { organisation: '50%_\\*.' }),
      report('ada', 'nel', 'none'),
    );
    expect(await find('österreich')).toEqual(['umlaut']);
    expect(await find('NETZE')).toEqual(['umlaut']);
    expect(await find(' ')).toEqual(['umlaut']);
    for (const sign of ['%', '_', '\\', '*', '50%_\\*.']) expect(await find(sign), sign).toEqual(['signs']);
    expect(await find("'")).toEqual([]);
  });

  it('for an exact value ignores case and has no wildcards', async () => {
    const find = finder('permissions_policy', 'property');
    const values = ['camera', 'came_a', 'came%', 'came\\ra', 'Ünlock'];
    await service.load(
      ...values.map(property => report('ada', 'permissions_policy', property, { property })),
    );
    for (const value of values) {
      expect(await find(value)).toEqual([value]);
      expect(await find(value.toUpperCase())).toEqual([value]);
    }
    expect(await find('camer*')).toEqual([]);
    expect(await find('camer')).toEqual([]);
    expect(await find(' camera')).toEqual([]);
  });

  it('for an id distinguishes similar ids', async () => {
    const find = finder('intervention', 'id');
    await service.load(report('ada', 'intervention', 'R_1'), report('ada', 'intervention', 'rx1'));
    expect(await find('r_1')).toEqual(['R_1']);
    expect(await find('RX1')).toEqual(['rx1']);
    expect(await find('r%')).toEqual([]);
  });

  it('is decoded like a form field', async () => {
    await service.load(report('ada', 'deprecation', 'plus', { message: 'one + one = two & more' }));
    const get = (value: string) =>
      service.get(`/v1/reports/deprecation?unit=days&date=2026-05-20&message=${value}`, key).then(names);
    expect(await get('one+%2B+one')).toEqual(['plus']);
    expect(await get('%3D%20two%20%26')).toEqual(['plus']);
    expect(await get('one+=+x')).toEqual([]);
    expect(await get('two?')).toEqual([]);
  });
});

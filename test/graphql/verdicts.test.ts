import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, scriptVerdict, verdict } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

/** Tests the verdicts of a team, which are loaded from the feed. */

let service: TestService;
let key: string;
let other: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
  other = await open(service, personal('ben'), plan('ben'));
  await service.load(
    verdict('ada', 'sender', 'Example Post Ltd', { verdict: 'mine', expiresAt: '2027-01-01T00:00:00Z' }),
    verdict('ada', 'sender', 'list.example', { verdict: 'forwarder', expiresAt: NOW }),
    verdict('ada', 'blockedSource', '*.ads.example', { verdict: 'notMine' }),
    verdict('ada', 'blockedSource', 'cdn.example', { site: 'WWW.Bücher.example' }),
    verdict('ada', 'issuer', 'CN=E7,O=Example Trust'),
    verdict('ada', 'insight', 'newSender-2026-05-18-3f', { count: 12 }),
    scriptVerdict('ada', 'shop.example', 'https://pay.example/*.js', { hashes: ['sha256-AA'] }),
    verdict('ben', 'sender', 'list.example'),
  );
});
afterAll(() => service.close());

const list = async (args: string, of = key) => {
  const { viewer } = await data(service, of, `{ viewer { verdicts${args} { subject } } }`);
  return viewer.verdicts.map(({ subject }: { subject: string }) => subject);
};

describe('verdicts', () => {
  it('are listed by kind, site and subject, with all fields of the feed', async () => {
    const { viewer } = await data(
      service,
      key,
      `{ viewer { verdicts { subjectKind site subject verdict reason owner hashes count decidedBy decidedAt expiresAt } } }`,
    );
    const common = {
      ...{ site: null, verdict: 'accepted', reason: 'We know it', owner: null, hashes: [], count: null },
      ...{ decidedBy: 'ann@example.com', decidedAt: '2026-01-02T00:00:00+00:00', expiresAt: null },
    };
    expect(viewer.verdicts).toEqual([
      { ...common, subjectKind: 'blockedSource', subject: '*.ads.example', verdict: 'notMine' },
      { ...common, subjectKind: 'blockedSource', subject: 'cdn.example', site: 'WWW.Bücher.example' },
      { ...common, subjectKind: 'insight', subject: 'newSender-2026-05-18-3f', count: 12 },
      { ...common, subjectKind: 'issuer', subject: 'CN=E7,O=Example Trust' },
      {
        ...{ ...common, subjectKind: 'script', subject: 'https://pay.example/*.js', site: 'shop.example' },
        ...{ owner: 'Web', reason: 'It takes payments', hashes: ['sha256-AA'] },
      },
      {
        ...{ ...common, subjectKind: 'sender', subject: 'Example Post Ltd', verdict: 'mine' },
        expiresAt: '2027-01-01T00:00:00+00:00',
      },
      {
        ...{ ...common, subjectKind: 'sender', subject: 'list.example', verdict: 'forwarder' },
        expiresAt: '2026-05-20T14:30:00+00:00',
      },
    ]);
  });

  it('are visible only to their own account', async () => {
    expect(await list('', other)).toEqual(['list.example']);
  });

  it.each([
    ['(subjectKind: issuer)', ['CN=E7,O=Example Trust']],
    ['(subjectKind: sender, current: true)', ['Example Post Ltd']],
    ['(subjectKind: blockedSource, site: "www.bücher.example")', ['*.ads.example', 'cdn.example']],
    ['(subjectKind: script, site: "other.example")', []],
  ])('are filtered by the arguments %s', async (args, subjects) => {
    expect(await list(args)).toEqual(subjects);
  });

  it('are replaced and deleted by their key', async () => {
    const line = verdict('ben', 'blockedSource', 'x.example', { site: 'A.example' });
    await service.load(line);
    await service.load({ ...line, site: 'a.example', verdict: 'notMine' });
    const { viewer } = await data(
      service,
      other,
      `{ viewer { verdicts(subjectKind: blockedSource) { site verdict } } }`,
    );
    expect(viewer.verdicts).toEqual([{ site: 'a.example', verdict: 'notMine' }]);
    await service.load({ ...line, deleted: true });
    expect(await list('(subjectKind: blockedSource)', other)).toEqual([]);
  });

  it('are not available in /v1', async () => {
    expect((await service.get('/v1/verdicts', key)).status).toBe(404);
  });
});

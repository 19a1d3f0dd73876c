import { createHash } from 'node:crypto';
import { Choice, heavyTail, Random } from './random.ts';

/** Fields of the feed that threat intelligence gives a host; those without a value are left out. */
export interface Threat {
  indicatorOfCompromise?: 1;
  recentlyRegisteredDomain?: 1;
  lowReputationDomain?: 1;
  suspicious?: 1;
  domainReputationScore?: number;
}

/** Something that pages load from another host. */
export interface Resource {
  host: string;
  uri: string;
  /** The CSP directive that governs it. */
  directive: string;
  /** Its Fetch destination. */
  destination: string;
  /** As in an integrity attribute. */
  hash: string;
  threat: Threat;
  /** 1 when an algorithm made the domain up. */
  generatedDomain: 0 | 1;
}

interface Kind {
  prefixes: readonly string[];
  directive: string;
  destination: string;
  paths: readonly string[];
}

const KINDS: readonly Kind[] = [
  {
    prefixes: ['tags', 'cdn', 'js', 'widgets'],
    directive: 'script-src-elem',
    destination: 'script',
    paths: ['/tag.js', '/v3/loader.js', '/widget.min.js', '/npm/carousel@4.2.1/dist/carousel.min.js'],
  },
  {
    prefixes: ['pixel', 'img', 'ads', 'photos'],
    directive: 'img-src',
    destination: 'image',
    paths: ['/1x1.gif', '/b/collect', '/banner/728x90.webp'],
  },
  {
    prefixes: ['api', 'events', 'metrics', 'rum'],
    directive: 'connect-src',
    destination: '',
    paths: ['/v1/events', '/g/collect', '/beacon'],
  },
  {
    prefixes: ['static', 'themes', 'assets'],
    directive: 'style-src-elem',
    destination: 'style',
    paths: ['/theme.css', '/v2/consent.css'],
  },
  {
    prefixes: ['fonts', 'type'],
    directive: 'font-src',
    destination: 'font',
    paths: ['/s/inter/v18/regular.woff2', '/icons.woff2'],
  },
  {
    prefixes: ['embed', 'player', 'pay', 'chat'],
    directive: 'frame-src',
    destination: 'iframe',
    paths: ['/embed/player', '/checkout/frame.html', '/chat/window'],
  },
  {
    prefixes: ['media', 'stream'],
    directive: 'media-src',
    destination: 'video',
    paths: ['/intro.mp4', '/live/playlist.m3u8'],
  },
];

const NAMES = [
  ...['adloom', 'brightpath', 'cartwheel', 'clickfern', 'consentry', 'datafold', 'echolane', 'fontery'],
  ...['growthly', 'heatgrid', 'insightful', 'jetstatic', 'kindlymail', 'lumenads', 'mapworks', 'newslet'],
  ...['optimizr', 'paywell', 'quicktag', 'retarget', 'socialite', 'tagstack', 'userpulse', 'videoly'],
  ...['webmetrics', 'xchange', 'yieldly', 'zenchat'],
];
const THREATS: readonly [host: string, threat: Threat][] = [
  [
    'js.slider-cdn-update.example',
    { indicatorOfCompromise: 1, lowReputationDomain: 1, domainReputationScore: 2 },
  ],
  ['secure-checkout-metrics.test', { suspicious: 1, lowReputationDomain: 1, domainReputationScore: 14 }],
  ['cdn.free-coupon-finder.example', { lowReputationDomain: 1, domainReputationScore: 23 }],
  ['static.launch-2-day.example', { recentlyRegisteredDomain: 1, domainReputationScore: 48 }],
  ['tag-manager-services.test', { indicatorOfCompromise: 1, suspicious: 1, domainReputationScore: 6 }],
  ['assets.brand-new-shop.example', { recentlyRegisteredDomain: 1, suspicious: 1 }],
];
const BENIGN_HOSTS = 320;
const GENERATED_DOMAINS = 10;
/** A threat's place in the tail of the hosts: about three reports of a hundred name one of them. */
const FIRST_THREAT = 28;
const BETWEEN_THREATS = 9;

export interface ThirdParties {
  all: Choice<Resource>;
  /** Those that an integrity check covers: scripts and styles. */
  checkable: Choice<Resource>;
  /** Hosts that policies allow, the most used first; none of them is a threat. */
  trustedHosts: readonly string[];
  compromisedHost: string;
  concerningHost: string;
}

/** The other hosts of this demo's web, with a heavy tail. */
export function createThirdParties(seed: number): ThirdParties {
  const random = new Random(seed, 'third parties');
  const hosts = hostsInOrder(random);
  const weightOf = heavyTail(1.05);
  const weighted = hosts.flatMap(({ resources }, index) =>
    resources.map(resource => ({ resource, weight: weightOf(undefined, index) / resources.length })),
  );
  const choiceOf = (entries: typeof weighted) =>
    new Choice(
      entries.map(entry => entry.resource),
      (_resource, index) => entries[index]!.weight,
    );
  return {
    all: choiceOf(weighted),
    checkable: choiceOf(weighted.filter(({ resource }) => /^(script|style)$/.test(resource.destination))),
    trustedHosts: hosts.filter(({ isThreat }) => !isThreat).map(({ resources }) => resources[0]!.host),
    compromisedHost: THREATS[0]![0],
    concerningHost: THREATS[1]![0],
  };
}

interface Host {
  resources: Resource[];
  isThreat: boolean;
}

function hostsInOrder(random: Random): Host[] {
  const hosts: Host[] = Array.from({ length: BENIGN_HOSTS }, (_, index) => benignHost(index, random));
  const threats = [
    ...THREATS.map(([host, threat]) => threatHost(host, threat, 0)),
    ...Array.from({ length: GENERATED_DOMAINS }, () => generatedHost(random)),
  ];
  threats.forEach((threat, index) => {
    hosts.splice(FIRST_THREAT + index * BETWEEN_THREATS, 0, threat);
  });
  return hosts;
}

function benignHost(index: number, random: Random): Host {
  const kind = KINDS[index % KINDS.length]!;
  const name = NAMES[index % NAMES.length]!;
  const round = Math.floor(index / NAMES.length);
  const ending = index % 5 === 4 ? 'test' : 'example';
  const host = `${random.pick(kind.prefixes)}.${name}${round === 0 ? '' : round + 1}.${ending}`;
  const isScored = random.chance(0.85);
  const threat: Threat = isScored ? { domainReputationScore: random.integer(55, 100) } : {};
  return { resources: kind.paths.map(path => resourceOf(kind, host, path, threat, 0)), isThreat: false };
}

function threatHost(host: string, threat: Threat, generatedDomain: 0 | 1): Host {
  const [script, , connect] = KINDS;
  const resources = [
    resourceOf(script!, host, script!.paths[0]!, threat, generatedDomain),
    resourceOf(connect!, host, connect!.paths[1]!, threat, generatedDomain),
  ];
  return { resources, isThreat: true };
}

function generatedHost(random: Random): Host {
  const letters = 'bcdfghjklmnpqrstvwxz0123456789aeiouy';
  const name = Array.from({ length: random.integer(12, 18) }, () => random.pick([...letters])).join('');
  const threat: Threat = { lowReputationDomain: 1, domainReputationScore: random.integer(0, 20) };
  if (random.chance(0.5)) threat.recentlyRegisteredDomain = 1;
  return threatHost(`x${name}.example`, threat, 1);
}

function resourceOf(
  kind: Kind,
  host: string,
  path: string,
  threat: Threat,
  generatedDomain: 0 | 1,
): Resource {
  const uri = `https://${host}${path}`;
  const hash = `sha256-${createHash('sha256').update(uri).digest('base64')}`;
  const { directive, destination } = kind;
  return { host, uri, directive, destination, hash, threat, generatedDomain };
}

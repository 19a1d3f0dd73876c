import { REPORTING_BROWSER } from '../browsers.ts';
import { Choice, heavyTail } from '../random.ts';
import {
  createVisit,
  pickScript,
  type ReportFields,
  reportingApi,
  type Scene,
  scriptPosition,
  toBrowserReport,
  toPage,
} from './scene.ts';

interface Feature {
  featureId: string;
  message: string;
  anticipatedRemoval: string | null;
}

const DEPRECATED: readonly Feature[] = [
  {
    featureId: 'UnloadHandler',
    message: 'Unload event listeners are deprecated and will be removed.',
    anticipatedRemoval: '2027-03-01',
  },
  {
    featureId: 'XMLHttpRequestSynchronousInNonWorkerOutsideBeforeUnload',
    message: 'Synchronous XMLHttpRequest on the main thread is deprecated.',
    anticipatedRemoval: null,
  },
  {
    featureId: 'ThirdPartyCookieAccess',
    message: 'Third-party cookie access is deprecated and will be blocked.',
    anticipatedRemoval: null,
  },
  {
    featureId: 'XSLT',
    message: 'XSLTProcessor and XSLT processing instructions are deprecated.',
    anticipatedRemoval: '2026-11-17',
  },
];
const DEPRECATION = new Choice(DEPRECATED, heavyTail(1));

const INTERVENED: readonly Omit<Feature, 'anticipatedRemoval'>[] = [
  {
    featureId: 'AudioContextStartBlocked',
    message: 'The AudioContext was not allowed to start before a gesture of the user.',
  },
  {
    featureId: 'HeavyAdIntervention',
    message: 'Ad was removed because its CPU usage exceeded the limit.',
  },
  {
    featureId: 'LazyLoadImage',
    message: 'Images loaded lazily and replaced with placeholders. Load events are deferred.',
  },
];
const INTERVENTION = new Choice(INTERVENED, heavyTail(1));

function deprecation(scene: Scene): ReportFields {
  return featureReport('deprecation', scene, scene.planned?.feature ?? DEPRECATION.pick(scene.random));
}

function intervention(scene: Scene): ReportFields {
  return featureReport('intervention', scene, INTERVENTION.pick(scene.random));
}

function featureReport(
  type: string,
  scene: Scene,
  { featureId, ...feature }: Omit<Feature, 'anticipatedRemoval'>,
) {
  const visit = createVisit(scene);
  const details = { ...feature, ...scriptPosition(scene) };
  return {
    ...toBrowserReport(type, visit, { id: featureId, ...details }),
    featureId,
    ...details,
  };
}

/** Older browsers report only that the page crashed. */
function crash(scene: Scene): ReportFields {
  const { random } = scene;
  const browser = REPORTING_BROWSER.pick(random);
  const uri = toPage(scene);
  const reason = random.pick(['oom', 'oom', 'unresponsive', '']);
  const isTopLevel = random.chance(0.2) ? null : random.chance(0.8);
  const visibilityState = isTopLevel === null ? '' : random.chance(0.7) ? 'visible' : 'hidden';
  const stack =
    reason === 'unresponsive' ? `    at render (${pickScript(scene)}:${random.integer(1, 900)}:17)` : '';
  return {
    uri,
    raw: reportingApi('crash', uri, browser, random, {
      ...(reason === '' ? {} : { reason }),
      ...(isTopLevel === null ? {} : { is_top_level: isTopLevel, visibility_state: visibilityState }),
      ...(stack === '' ? {} : { stack }),
    }),
    count: 1,
    browser: browser.browser,
    platform: browser.platform,
    reason,
    isTopLevel,
    visibilityState,
    stack,
  };
}

/** The generators of these reports, by type. */
export const HEALTH = { deprecation, intervention, crash };

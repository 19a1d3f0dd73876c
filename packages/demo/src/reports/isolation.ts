import {
  createVisit,
  getOrigin,
  type ReportFields,
  type Scene,
  scriptPosition,
  toBrowserReport,
  toPage,
} from './scene.ts';

const PROPERTIES = [
  'geolocation',
  'camera',
  'microphone',
  'fullscreen',
  'payment',
  'usb',
  'autoplay',
  'gyroscope',
];

function permissionsPolicy(scene: Scene): ReportFields {
  const { random, thirdParties } = scene;
  const visit = createVisit(scene);
  const property = random.pick(PROPERTIES);
  const potential = random.chance(0.1);
  const inFrame = random.chance(0.3);
  const message = `Permissions policy violation: ${property} is not allowed in this document.`;
  const details = {
    disposition: random.chance(0.6) ? 'enforce' : 'report',
    message,
    ...scriptPosition(scene),
    allowAttribute: inFrame ? `${property} 'none'` : '',
    srcAttribute: inFrame ? thirdParties.all.pick(random).uri : '',
  };
  const rawType = potential ? 'potential-permissions-policy-violation' : 'permissions-policy-violation';
  return {
    ...toBrowserReport(rawType, visit, { featureId: property, ...details }),
    property,
    ...details,
    potential,
  };
}

function coep(scene: Scene): ReportFields {
  const { random, thirdParties } = scene;
  const visit = createVisit(scene);
  const { uri: blockedUri, destination } = thirdParties.all.pick(random);
  const violation = destination === 'iframe' ? 'navigation' : 'corp';
  const disposition = random.chance(0.3) ? 'enforce' : 'reporting';
  return {
    ...toBrowserReport('coep', visit, {
      type: violation,
      blockedURL: blockedUri,
      destination,
      disposition,
    }),
    violation,
    disposition,
    blockedUri,
    destination,
  };
}

/** Either a navigation between opener policies, or a script that accessed another window. */
function coop(scene: Scene): ReportFields {
  const { random } = scene;
  const visit = createVisit(scene);
  const common = {
    disposition: random.chance(0.3) ? 'enforce' : 'reporting',
    effectivePolicy: random.pick(['same-origin', 'same-origin-plus-coep', 'same-origin-allow-popups']),
  };
  const { violation, body, fields } = random.chance(0.6) ? navigation(scene) : access(scene);
  return {
    ...toBrowserReport('coop', visit, { type: violation, ...common, ...body }),
    violation,
    ...common,
    ...fields,
  };
}

function navigation(scene: Scene) {
  const isResponse = scene.random.chance(0.5);
  const other = toPage(scene);
  const referrer = `${getOrigin(scene)}/`;
  return isResponse
    ? {
        violation: 'navigation-to-response',
        body: { previousResponseURL: other, referrer },
        fields: { previousResponseUri: other, referrer },
      }
    : {
        violation: 'navigation-from-response',
        body: { nextResponseURL: other, referrer },
        fields: { nextResponseUri: other, referrer },
      };
}

function access(scene: Scene) {
  const { random } = scene;
  const property = random.pick(['postMessage', 'closed', 'location', 'frames']);
  const position = scriptPosition(scene);
  const [openerUri, other, popup] = [toPage(scene), toPage(scene), toPage(scene)];
  return random.chance(0.5)
    ? {
        violation: 'access-to-opener',
        body: { property, openerURL: openerUri, otherDocumentURL: other, ...position },
        fields: { accessedProperty: property, openerUri, otherDocumentUri: other, ...position },
      }
    : {
        violation: 'access-from-coop-page-to-openee',
        body: { property, openeeURL: other, initialPopupURL: popup, ...position },
        fields: { accessedProperty: property, openeeUri: other, initialPopupUri: popup, ...position },
      };
}

const SERVICES = ['/pixel', '/collect', '/v2/events', '/metrics', '/session'];

/** A page that connects to an address outside its allowlist, sometimes through WebRTC. */
function connectionAllowlist(scene: Scene): ReportFields {
  const { random, thirdParties } = scene;
  const visit = createVisit(scene);
  const [origin = ''] = /^https:\/\/[^/]+/.exec(thirdParties.all.pick(random).uri) ?? [];
  const connection = random.chance(0.05) ? 'webrtc' : origin + random.pick(SERVICES);
  const details = {
    connection,
    disposition: random.chance(0.3) ? 'enforce' : 'report',
    allowlist: [getOrigin(scene), 'https://*.example.com/*'],
  };
  const body = { url: visit.uri, ...details };
  return { ...toBrowserReport('connection-allowlist', visit, body), ...details };
}

/** Types that browsers send, but that have no record type here. */
const WIRE_TYPES = ['document-policy-violation', 'soft-navigation-heuristics'];

function other(scene: Scene): ReportFields {
  const { random } = scene;
  const visit = createVisit(scene);
  const wireType = random.chance(0.8) ? WIRE_TYPES[0]! : WIRE_TYPES[1]!;
  const body = { policyId: random.pick(['unsized-media', 'oversized-images']), disposition: 'report' };
  return { ...toBrowserReport(wireType, visit, body), wireType };
}

/** The generators of these reports, by type. */
export const ISOLATION = {
  permissions_policy: permissionsPolicy,
  coep,
  coop,
  connection_allowlist: connectionAllowlist,
  other,
};

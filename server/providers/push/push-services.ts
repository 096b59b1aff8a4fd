/** The push services of today's browsers. */
const browserServices = [
  'fcm.googleapis.com',
  'android.googleapis.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
];

/**
 * Whether a push may go to this URL. Only known push services: a subscription is whatever its caller says, and 20 hosts that never answer
 * would hold up the pushes of all practices. `*.` stands for any subdomain.
 */
export function isPushService(address: string, more: readonly string[]): boolean {
  const url = URL.parse(address);
  // URL drops :443, so any remaining port is another one.
  if (!url || url.protocol !== 'https:' || url.username || url.password || url.port !== '') return false;
  return [...browserServices, ...more].some((service) =>
    service.startsWith('*.') ? url.hostname.endsWith(service.slice(1)) : url.hostname === service,
  );
}

/** Reads `PUSH_SERVICES`: more push services, for browsers that have one of their own. Throws a message an operator can act on. */
export function readPushServices(from: NodeJS.ProcessEnv): string[] {
  const services = (from.PUSH_SERVICES ?? '')
    .toLowerCase()
    .split(',')
    .map((service) => service.trim())
    .filter((service) => service !== '');
  const wrong = services.find((service) => !/^(\*\.)?([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(service));
  if (wrong !== undefined)
    throw new Error(`PUSH_SERVICES must be host names like push.example.org or *.example.org, one is "${wrong}"`);
  return services;
}

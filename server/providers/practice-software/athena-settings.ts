import { isLoopback } from '#server/kit/http/loopback.ts';

/** How this installation connects to athenahealth (docs/operating.md). */
export interface AthenaSettings {
  clientId: string;
  clientSecret: string;
  /** Without a trailing slash. */
  url: string;
}

/** Reads the settings from the environment; undefined without ATHENA_CLIENT_ID. Throws a message an operator can act on. */
export function readAthena(from: NodeJS.ProcessEnv): AthenaSettings | undefined {
  const { ATHENA_CLIENT_ID: clientId, ATHENA_CLIENT_SECRET: clientSecret } = from;
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret) throw new Error('ATHENA_CLIENT_ID and ATHENA_CLIENT_SECRET go together: give both');
  const url = (from.ATHENA_URL || 'https://api.preview.platform.athenahealth.com').replace(/\/+$/, '');
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' && !(parsed?.protocol === 'http:' && isLoopback(parsed.hostname)))
    throw new Error('ATHENA_URL must be an https address (plain http only on this machine)');
  return { clientId, clientSecret, url };
}

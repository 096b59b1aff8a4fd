import { isLoopback } from '#server/kit/http/loopback.ts';

/** How this installation connects to a FHIR server (docs/operating.md). */
export interface FhirServerSettings {
  /** Without a trailing slash. `{npi}` in it is the practice's. */
  url: string;
  token: string | undefined;
}

/** Reads the settings from the environment; undefined without FHIR_SERVER_URL. Throws a message an operator can act on. */
export function readFhirServer(from: NodeJS.ProcessEnv): FhirServerSettings | undefined {
  const { FHIR_SERVER_URL: given, FHIR_SERVER_TOKEN: token } = from;
  if (!given) {
    if (token) throw new Error('FHIR_SERVER_TOKEN needs FHIR_SERVER_URL');
    return undefined;
  }
  const url = given.replace(/\/+$/, '');
  const parsed = URL.parse(url.replaceAll('{npi}', '0'));
  const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
  if (!isSafe || parsed?.username || parsed?.search)
    throw new Error('FHIR_SERVER_URL must be an https address (plain http only on this machine)');
  return { url, token: token || undefined };
}

import { isLoopback } from '#server/kit/http/loopback.ts';

/** How this installation connects to a terminology server (docs/operating.md). */
export interface TerminologySettings {
  /** Without a trailing slash. */
  url: string;
  token: string | undefined;
}

/** Reads the settings from the environment; undefined without TX_SERVER_URL. Throws a message an operator can act on. */
export function readTerminology(from: NodeJS.ProcessEnv): TerminologySettings | undefined {
  const { TX_SERVER_URL: given, TX_SERVER_TOKEN: token } = from;
  if (!given) {
    if (token) throw new Error('TX_SERVER_TOKEN needs TX_SERVER_URL');
    return undefined;
  }
  const url = given.replace(/\/+$/, '');
  const parsed = URL.parse(url);
  const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
  if (!isSafe || parsed?.username || parsed?.search || parsed?.hash)
    throw new Error('TX_SERVER_URL must be an https address (plain http only on this machine)');
  return { url, token: token || undefined };
}

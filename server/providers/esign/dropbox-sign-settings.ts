/** How this installation connects to Dropbox Sign (docs/operating.md). */
export interface DropboxSignSettings {
  apiKey: string;
  /** The API app with our domain; embedded signing requires one. */
  clientId: string;
  /** Test mode: signatures are not binding, and the client's domain is not checked. */
  testMode: boolean;
  /** Without a trailing slash. */
  url: string;
}

/** Reads the settings from the environment; undefined without DROPBOX_SIGN_API_KEY. Throws a message an operator can act on. */
export function readDropboxSign(from: NodeJS.ProcessEnv): DropboxSignSettings | undefined {
  const apiKey = from.DROPBOX_SIGN_API_KEY;
  if (!apiKey) return undefined;
  const clientId = from.DROPBOX_SIGN_CLIENT_ID;
  if (!clientId)
    throw new Error('DROPBOX_SIGN_CLIENT_ID is missing: with DROPBOX_SIGN_API_KEY give the client id of your API app');
  const url = (from.DROPBOX_SIGN_URL || 'https://api.hellosign.com/v3').replace(/\/+$/, '');
  const parsed = URL.parse(url);
  const isHere = parsed?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(parsed.hostname);
  if (parsed?.protocol !== 'https:' && !isHere)
    throw new Error('DROPBOX_SIGN_URL must be an https address (plain http only on this machine)');
  return { apiKey, clientId, testMode: from.DROPBOX_SIGN_TEST_MODE === '1', url };
}

/** Passkeys, if the browser supports them; the library is loaded on first use. */
const library = () => import('@simplewebauthn/browser');

type Options = Record<string, unknown>;

/** Whether this browser can create and use passkeys on this origin. */
export function hasPasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window;
}

/** Creates a passkey; undefined if the person canceled. */
export async function makePasskey(options: Options) {
  const { startRegistration } = await library();
  return unlessCalledOff(startRegistration({ optionsJSON: options as never }));
}

/** Signs with a passkey; undefined if the person canceled or has none here. */
export async function signWithPasskey(options: Options) {
  const { startAuthentication } = await library();
  return unlessCalledOff(startAuthentication({ optionsJSON: options as never }));
}

/** The browser reports the same error for a cancel, a timeout and a lack of passkeys. */
async function unlessCalledOff<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') return undefined;
    throw error;
  }
}

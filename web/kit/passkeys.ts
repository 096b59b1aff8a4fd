/** Passkeys, where the browser has them; the library comes when one is used. */
const library = () => import('@simplewebauthn/browser');

type Options = Record<string, unknown>;

/** Can this browser keep and use passkeys on this address? */
export function hasPasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window;
}

/** Makes a passkey; undefined when the person called it off. */
export async function makePasskey(options: Options) {
  const { startRegistration } = await library();
  return unlessCalledOff(startRegistration({ optionsJSON: options as never }));
}

/** Signs with a passkey; undefined when the person called it off, or has none here. */
export async function signWithPasskey(options: Options) {
  const { startAuthentication } = await library();
  return unlessCalledOff(startAuthentication({ optionsJSON: options as never }));
}

/** The browser says the same when it was called off, timed out and when there was nothing to choose. */
async function unlessCalledOff<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') return undefined;
    throw error;
  }
}

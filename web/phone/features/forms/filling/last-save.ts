import type { OpenForm } from '#contract/forms/filling.ts';

const storageKey = 'anteroom.form-version';
/** A save that was sent longer ago than this has arrived or is lost. */
const arrivesWithinMs = 5_000;
const lookEveryMs = 300;

/** Tells forms apart without storing an address, which opens the visit. */
const formNumber = () =>
  [...location.pathname].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);

/** Notes the version that the server has after what this page sent while it went away. Only numbers: answers are never stored here. */
export function noteLastSave(version: number): void {
  try {
    sessionStorage.setItem(storageKey, `${Date.now()} ${version} ${formNumber()}`);
  } catch {
    // Storage is disabled: the form may be read before its last answers are there.
  }
}

function lastSave(): { version: number; untilMs: number } {
  try {
    const [at = 0, version = 0, form] = (sessionStorage.getItem(storageKey) ?? '').split(' ').map(Number);
    sessionStorage.removeItem(storageKey);
    return { version: form === formNumber() ? version : 0, untilMs: at + arrivesWithinMs };
  } catch {
    return { version: 0, untilMs: 0 };
  }
}

/** Reads a form; for a few seconds again as long as the server lacks what this tab sent when the page before went away. */
export async function readAfterLastSave(read: () => Promise<OpenForm>): Promise<OpenForm> {
  const { version, untilMs } = lastSave();
  for (;;) {
    const form = await read();
    if (form.version >= version || form.state === 'submitted' || Date.now() > untilMs) return form;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

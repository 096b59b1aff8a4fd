import type { OpenForm } from '#contract/forms/filling.ts';

const storageKey = 'anteroom.form-version';
/** A save that was sent longer ago than this has arrived or is lost. */
const arrivesWithinMs = 5_000;
const lookEveryMs = 300;

/** Notes the version that the server has after what this page sent while it went away. Only a number: answers are never stored here. */
export function noteLastSave(version: number): void {
  try {
    sessionStorage.setItem(storageKey, `${Date.now()} ${version}`);
  } catch {
    // Storage is disabled: the form may be read before its last answers are there.
  }
}

function lastSave(): { version: number; untilMs: number } {
  try {
    const [at, version] = (sessionStorage.getItem(storageKey) ?? '0 0').split(' ').map(Number);
    sessionStorage.removeItem(storageKey);
    return { version: version ?? 0, untilMs: (at ?? 0) + arrivesWithinMs };
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

/** After this long, somebody else may have the device. */
const askAfterMs = 30 * 60_000;

/** Of this page: a browser may refuse storage to a frame on another website. */
const inMemory = new Map<string, number>();
const keyOf = (npi: string) => `anteroom.chat-look.${npi}`;

/** Notes that the visitor looks at the chat now. */
export function noteLook(npi: string): void {
  inMemory.set(npi, Date.now());
  try {
    localStorage.setItem(keyOf(npi), String(Date.now()));
  } catch {
    // Storage is blocked: so is that of the token, and the chat lasts as long as the page.
  }
}

function lastLook(npi: string): number {
  try {
    const saved = localStorage.getItem(keyOf(npi));
    if (saved !== null) return Number(saved);
  } catch {
    // Storage is blocked.
  }
  return inMemory.get(npi) ?? 0;
}

/** Whether the saved chat was last looked at so long ago that the page asks whose it is before it shows anything of it. */
export function isLookLongAgo(npi: string): boolean {
  const agoMs = Date.now() - lastLook(npi);
  // A look in the future: the clock was set back, and says nothing.
  return agoMs < 0 || agoMs > askAfterMs;
}

/** Hints are collected for this long, so that one transaction announces what many have changed. */
const collectMs = 2;
/** The pause after a failure: the database is away, and more tries would only load it. */
const retryMs = 250;
/** While the database is away. Then every screen fetches again, so more of them would say nothing new. */
const waitingAtMost = 10_000;

export interface HintSender {
  /** Sends hints of a committed transaction soon, equal ones once. */
  send(hints: readonly string[]): void;
  /** How many different hints have not been sent yet. */
  backlog(): number;
  /** Sends what waits. */
  close(): Promise<void>;
}

/**
 * Sends hints after the commit, in transactions of their own: NOTIFY inside a transaction holds a lock of the whole server while it commits,
 * so that all processes together commit once per flush of the disk (docs/decisions/0087). The first hint after a quiet time leaves at once.
 */
export function openHintSender(notify: (hints: string[]) => Promise<unknown>): HintSender {
  const waiting = new Set<string>();
  let leaving = 0;
  let sending: Promise<void> | undefined;

  const sendWaiting = async () => {
    while (waiting.size > 0) {
      // Hints of the same moment are sent together.
      await new Promise(setImmediate);
      const hints = [...waiting];
      waiting.clear();
      leaving = hints.length;
      const isSent = await notify(hints).then(
        () => true,
        () => {
          for (const hint of hints.slice(0, waitingAtMost - waiting.size)) waiting.add(hint);
          return false;
        },
      );
      leaving = 0;
      if (isClosed) return;
      await new Promise((done) => setTimeout(done, isSent ? collectMs : retryMs));
    }
  };
  let isClosed = false;

  return {
    send(hints) {
      for (const hint of hints) if (waiting.size < waitingAtMost) waiting.add(hint);
      if (!isClosed) sending ??= sendWaiting().finally(() => (sending = undefined));
    },
    backlog: () => waiting.size + leaving,
    async close() {
      isClosed = true;
      await sending;
      if (waiting.size > 0) await notify([...waiting]).catch(() => undefined);
    },
  };
}

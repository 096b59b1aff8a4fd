import { errorMessage } from '#web/kit/error-messages.ts';

/** Pictures of a form that are on their way. An upload resolves to the reason why its picture was refused, or to null. */
export interface Uploads {
  add(upload: Promise<string | null>): void;
  /** Waits for the pictures of this page, and says why one was refused since the last time; null: there is nothing to wait for. */
  waitForPage(): Promise<string | null> | null;
  /** The same for all pictures of the form. */
  waitForForm(): Promise<string | null>;
  /** The patient leaves the page without waiting: only submitting the form waits for its pictures. */
  leavePage(): void;
}

interface Upload {
  sent: Promise<void>;
  isLeft: boolean;
}

export function createUploads(): Uploads {
  const running = new Set<Upload>();
  let refusal: string | null = null;
  let refusalOfLeft: string | null = null;
  const isOnPage = ({ isLeft }: Upload) => !isLeft;

  // A signature that gets another stroke replaces the upload that is under way: so this looks again.
  async function wait(which: (upload: Upload) => boolean): Promise<void> {
    for (let all = [...running].filter(which); all.length > 0; all = [...running].filter(which))
      await Promise.all(all.map(({ sent }) => sent));
  }
  function takeRefusal(): string | null {
    const taken = refusal;
    refusal = null;
    return taken;
  }

  return {
    add(upload) {
      const entry: Upload = { sent: Promise.resolve(), isLeft: false };
      const end = (reason: string | null) => {
        running.delete(entry);
        if (entry.isLeft) refusalOfLeft ??= reason;
        else refusal = reason;
      };
      // Also a failure that nobody expected: the picture did not arrive.
      entry.sent = upload.then(end, (error: unknown) => end(errorMessage(error, '')));
      running.add(entry);
    },
    waitForPage() {
      if ([...running].some(isOnPage)) return wait(isOnPage).then(takeRefusal);
      return refusal === null ? null : Promise.resolve(takeRefusal());
    },
    async waitForForm() {
      await wait(() => true);
      const taken = takeRefusal() ?? refusalOfLeft;
      refusalOfLeft = null;
      return taken;
    },
    leavePage() {
      for (const upload of running) upload.isLeft = true;
      refusalOfLeft ??= takeRefusal();
    },
  };
}

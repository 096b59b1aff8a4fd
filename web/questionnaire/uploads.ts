import { errorMessage } from '#web/kit/error-messages.ts';

/** The uploads of a form's pictures. An upload resolves to the message why its picture was refused, or to null. */
export interface Uploads {
  add(upload: Promise<string | null>): void;
  /** Waits for the pictures of this page; resolves to the refusal since the last call, or null. Returns null if there is nothing to wait for. */
  waitForPage(): Promise<string | null> | null;
  /** Waits for all pictures of the form; resolves to a refusal, or null. */
  waitForForm(): Promise<string | null>;
  /** The patient leaves the page without waiting: only submitting the form waits for these pictures. */
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

  // Another stroke replaces the upload of a signature, so this checks again after each wait.
  async function wait(which: (upload: Upload) => boolean): Promise<void> {
    for (let all = [...running].filter(which); all.length > 0; all = [...running].filter(which))
      await Promise.all(all.map(({ sent }) => sent));
  }
  function takeRefusal(): string | null {
    const lastRefusal = refusal;
    refusal = null;
    return lastRefusal;
  }

  return {
    add(upload) {
      const entry: Upload = { sent: Promise.resolve(), isLeft: false };
      const end = (reason: string | null) => {
        running.delete(entry);
        if (entry.isLeft) refusalOfLeft ??= reason;
        else refusal = reason;
      };
      // An unexpected failure counts too: the picture did not arrive.
      entry.sent = upload.then(end, (error: unknown) => end(errorMessage(error, '')));
      running.add(entry);
    },
    waitForPage() {
      if ([...running].some(isOnPage)) return wait(isOnPage).then(takeRefusal);
      return refusal === null ? null : Promise.resolve(takeRefusal());
    },
    async waitForForm() {
      await wait(() => true);
      const lastRefusal = takeRefusal() ?? refusalOfLeft;
      refusalOfLeft = null;
      return lastRefusal;
    },
    leavePage() {
      for (const upload of running) upload.isLeft = true;
      refusalOfLeft ??= takeRefusal();
    },
  };
}

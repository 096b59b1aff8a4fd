import { refusals, type RefusalCode } from '#contract/refusals.ts';
import type { Language } from '#contract/shapes.ts';

/** A refusal the caller can act on; `current` is the current state of the thing. Any other error is a bug: logged, and answered 500. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly current: unknown;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;
  constructor(code: RefusalCode, current?: unknown, retryAfterSeconds?: number) {
    super(refusals[code].en);
    this.code = code;
    this.current = current;
    this.retryAfterSeconds = retryAfterSeconds;
  }
  get status(): number {
    return refusals[this.code].status;
  }
  says(language: Language): string {
    return refusals[this.code][language];
  }
}

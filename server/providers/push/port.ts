/** One browser as it named itself when it subscribed (RFC 8030, RFC 8291): keys are base64url. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** What a browser is told. It holds no patient data: push services and lock screens are no place for it. */
export interface PushNote {
  title: string;
  body: string;
  /** What a press on it opens: a path of ours. */
  path: string;
  /** A newer note of the same topic takes the place of an older one; at most 32 letters, digits, - and _. */
  topic: string;
  /** How long it is worth delivering. */
  ttlSeconds: number;
}

/**
 * Thrown by `send` when the push service said no. `gone`: the browser is subscribed no more. `slow-down`: not before
 * `retryAfterSeconds`. `away`: it could not be reached or failed. `refused`: it will never take this.
 */
export class PushRefused extends Error {
  override readonly name = 'PushRefused';
  readonly why: 'gone' | 'slow-down' | 'away' | 'refused';
  readonly retryAfterSeconds: number | undefined;
  constructor(why: PushRefused['why'], retryAfterSeconds?: number) {
    super(`push ${why}`);
    this.why = why;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What we need from web push. */
export interface Push {
  /** `local` is the stand-in. */
  readonly name: string;
  /** What browsers subscribe with (VAPID, base64url); empty with the stand-in. */
  readonly publicKey: string;
  /** Is this a browser that may be sent to: a push service we know or a public https address, and keys that are keys? */
  accepts(target: PushTarget): boolean;
  /** Hands one note over; throws PushRefused. */
  send(target: PushTarget, note: PushNote): Promise<void>;
}

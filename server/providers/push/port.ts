/** One browser's subscription (RFC 8030, RFC 8291): keys are base64url. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** The notification. It holds no patient data, because it passes push services and appears on lock screens. */
export interface PushMessage {
  title: string;
  body: string;
  /** The path of ours that pressing it opens. */
  path: string;
  /** A newer note replaces an older one with the same topic; at most 32 letters, digits, - and _. */
  topic: string;
  /** How long the push service should try to deliver it. */
  ttlSeconds: number;
}

/**
 * Thrown by `send` if the push service refused. `gone`: the subscription expired. `slow-down`: not before `retryAfterSeconds`. `away`:
 * unreachable or 5xx, retry later. `refused`: permanent error.
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
  /** The key browsers subscribe with (VAPID, base64url); empty with the stand-in. */
  readonly publicKey: string;
  /** Whether this subscription may be sent to: a known push service, with valid keys. */
  accepts(target: PushTarget): boolean;
  /** Sends one note; throws PushRefused. */
  send(target: PushTarget, note: PushMessage): Promise<void>;
}

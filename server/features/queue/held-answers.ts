/** A queue as it was sent, under the ETag that names its office, its day and its version. */
export interface HeldAnswer {
  etag: string;
  body: Buffer;
}

const maxBytes = 16_000_000;
const maxBytesOfOne = 2_000_000;
/** What a place takes beside its text: many small answers fill the memory too. */
const placeBytes = 500;
const bytesOf = (question: string, { etag, body }: HeldAnswer) =>
  2 * (question.length + etag.length) + body.length + placeBytes;

/**
 * The answers that this process has sent last, one for each question. All panels of an office ask the same after a change, and the database
 * need only say, after it has checked the session and written the entry, that the answer is still the one held here.
 *
 * The one used longest ago goes first. A question is text: whose queue is asked for, and what of it.
 */
export class HeldAnswers {
  readonly #answers = new Map<string, HeldAnswer>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  find(question: string): HeldAnswer | null {
    const held = this.#answers.get(question);
    if (!held) return null;
    // The newest use is last.
    this.#answers.delete(question);
    this.#answers.set(question, held);
    return held;
  }

  hold(question: string, { etag, body }: { etag: string; body: string }): Buffer {
    // Memory of its own: a small buffer from the shared pool would keep 8 kB of it.
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
    bytes.write(body);
    this.#drop(question);
    const held = { etag, body: bytes };
    if (bytesOf(question, held) > maxBytesOfOne) return bytes;
    this.#answers.set(question, held);
    this.#bytes += bytesOf(question, held);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.#drop(oldest);
    }
    return bytes;
  }

  #drop(question: string): void {
    const held = this.#answers.get(question);
    if (held) this.#bytes -= bytesOf(question, held);
    this.#answers.delete(question);
  }
}

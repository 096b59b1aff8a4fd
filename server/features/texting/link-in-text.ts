import type { Services } from '#server/context.ts';
import { encrypt, decrypt } from '#server/kit/crypto/encrypt.ts';

/** Replaces the link in a stored body. The last one counts, because a message's own text comes before the link. */
export const linkPlaceholder = '{link}';

const encryptionPurpose = (textId: string) => `text-link:${textId}`;

/** A text's link, encrypted for its row in the ledger. */
export const encryptLink = ({ env }: Pick<Services, 'env'>, textId: string, url: string): Buffer =>
  encrypt(env.secrets.session, encryptionPurpose(textId), Buffer.from(url));

/** The text to send: the stored body with its link. Null if the link is gone or cannot be decrypted (the secret was changed). */
export function bodyToSend(
  { env }: Pick<Services, 'env'>,
  text: { id: string; body: string; needsLink: boolean; sealedLink: Buffer | null },
): string | null {
  if (!text.needsLink) return text.body;
  if (text.sealedLink === null) return null;
  const url = decrypt(env.secrets.session, encryptionPurpose(text.id), text.sealedLink)?.toString('utf8');
  return url === undefined ? null : fillLink(text.body, url);
}

/** The body with `link` in place of the placeholder. */
export function fillLink(body: string, link: string): string {
  const at = body.lastIndexOf(linkPlaceholder);
  return at === -1 ? body : body.slice(0, at) + link + body.slice(at + linkPlaceholder.length);
}

/** Matches our own links, those to pictures too, also where a patient copied one into a text to the practice. Valid in SQL and in JavaScript. */
export const ownLinkPattern = '(https?://[^\\s/]+)?/(visit|episode|c/t|join|files)/[A-Za-z0-9_-]{22,64}';

/** Removes our links from an incoming text before it is stored: its readers must not be able to open the visit or the episode. */
export const withoutOwnLinks = (body: string): string => body.replace(new RegExp(ownLinkPattern, 'g'), linkPlaceholder);

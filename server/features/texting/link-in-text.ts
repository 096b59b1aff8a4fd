import type { Services } from '#server/context.ts';
import { encrypt, decrypt } from '#server/kit/crypto/encrypt.ts';

/** Stands in a stored body for the link that is texted. The last one counts: what people write comes before it. */
export const linkPlaceholder = '{link}';

const purposeOf = (textId: string) => `text-link:${textId}`;

/** A text's link, encrypted for its row in the ledger. */
export const encryptLink = ({ env }: Pick<Services, 'env'>, textId: string, url: string): Buffer =>
  encrypt(env.secrets.session, purposeOf(textId), Buffer.from(url));

/** What is texted: the stored body with its link. Null when the link is gone or cannot be decrypted (the secret was changed). */
export function bodyToSend(
  { env }: Pick<Services, 'env'>,
  text: { id: string; body: string; needsLink: boolean; sealedLink: Buffer | null },
): string | null {
  if (!text.needsLink) return text.body;
  if (text.sealedLink === null) return null;
  const url = decrypt(env.secrets.session, purposeOf(text.id), text.sealedLink)?.toString('utf8');
  return url === undefined ? null : fillLink(text.body, url);
}

/** The body with something else in the link's place. */
export function fillLink(body: string, instead: string): string {
  const at = body.lastIndexOf(linkPlaceholder);
  return at === -1 ? body : body.slice(0, at) + instead + body.slice(at + linkPlaceholder.length);
}

/** Links of ours, also those a patient copied into a text to the practice. In SQL and in JavaScript the same. */
export const ownLinkPattern = '(https?://[^\\s/]+)?/(visit|c/t|join)/[A-Za-z0-9_-]{22,64}';

/** What came in, as it is stored: whoever reads it must not be able to open the visit. */
export const withoutOwnLinks = (body: string): string => body.replace(new RegExp(ownLinkPattern, 'g'), linkPlaceholder);

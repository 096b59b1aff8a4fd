/** The address of a practice's own Notice of Privacy Practices (45 CFR 164.520), which the built-in consent links. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

const longestAddress = 500;

/** Empty: the practice has none on the web. */
const PrivacyNotice = z.object({ url: z.string().check(z.maxLength(longestAddress)) });

/** The address as stored: with https. Null if it is no address that every patient's browser can open safely. */
export function noticeAddress(typed: string): string | null {
  const text = typed.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (full.length > longestAddress || /\s/.test(full) || !URL.canParse(full)) return null;
  const { protocol, hostname, username, password, href } = new URL(full);
  const isPublic = /^[^.]+(\.[^.]+)+$/.test(hostname) && !/^[\d.]+$/.test(hostname);
  if (href.length > longestAddress) return null;
  return protocol === 'https:' && isPublic && username === '' && password === '' ? href : null;
}

export const readPrivacyNotice = endpoint({
  method: 'GET',
  path: '/office/privacy-notice',
  summary: "The address of the practice's own Notice of Privacy Practices; empty if it has none on the web",
  access: 'office',
  reply: PrivacyNotice,
});

export const savePrivacyNotice = endpoint({
  method: 'PUT',
  path: '/office/privacy-notice',
  summary:
    "Sets the address of the practice's own Notice of Privacy Practices, which the consent form links; empty removes it",
  access: 'office',
  audit: 'settings.change',
  body: PrivacyNotice,
  reply: PrivacyNotice,
  refusals: ['not_https_address'],
});

/**
 * Sign-in by one-time code.
 *
 * identifier: the email address or US mobile number a person signs in with.
 * code: six digits, single use, valid 180 s by the server's clock.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { OneTimeCode, SentCode } from '#contract/shapes.ts';
import { Session } from './session.ts';

/** How long a code is valid, in seconds. */
export const codeLifeSeconds = 180;
/** Seconds before another code can be requested. */
export const resendAfterSeconds = 30;
/** After this many wrong tries a code is void. */
export const triesPerCode = 5;

/** Plus one followed by ten digits. */
export const usPhonePattern = /^\+1\d{10}$/;

const Identifier = z.object({
  email: z.optional(z.string().check(z.maxLength(254))),
  phone: z.optional(z.string().check(z.maxLength(40))),
});

export const requestCode = endpoint({
  method: 'POST',
  path: '/sign-in/code',
  summary: 'Sends a one-time code to an email address or a US mobile number; known and unknown ones answer alike',
  access: 'anyone',
  body: Identifier,
  reply: SentCode,
  refusals: ['invalid_input', 'invalid_phone', 'too_many_tries', 'code_not_sent', 'no_codes_now'],
});

export const verifyCode = endpoint({
  method: 'POST',
  path: '/sign-in/verify',
  summary: 'Signs in with a code: sets the panel cookie, or answers a bearer token',
  access: 'anyone',
  body: z.object({
    email: z.optional(z.string().check(z.maxLength(254))),
    phone: z.optional(z.string().check(z.maxLength(40))),
    code: OneTimeCode,
    /** True returns a bearer token instead of setting the cookie. */
    bearer: z.optional(z.boolean()),
  }),
  reply: z.object({ session: Session, token: z.optional(z.string()) }),
  /**
   * `wrong_code` also covers expired, used and never requested codes: the difference would tell a stranger that somebody requested one. A
   * screen knows from its own countdown and count (`triesPerCode`) which one it is.
   */
  refusals: ['invalid_input', 'invalid_phone', 'wrong_code', 'too_many_tries'],
});

/**
 * Sessions that are open: the devices a person is signed in on, and the token that carries a session.
 *
 * device: one open session as its person knows it, "Chrome on Windows". The one they ask from is the current one.
 * token: what proves a session on each call (cookie or bearer). It lives shorter than the session and is renewed before it ends.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

const Instant = z.iso.datetime();

/** A token is good for so long (or until the session's twelve hours are over). */
export const tokenLifeSeconds = 3600;
/** Within so many seconds of its end it is renewed (part 1 §9). */
export const refreshWithinSeconds = 600;
/** How often the panel looks whether it is time (part 2 §9). */
export const refreshEveryMs = 300_000;

/** May a token with so many seconds left be renewed? The panel asks by it and the server answers by it. */
export function mayRefresh(secondsLeft: number): boolean {
  return secondsLeft <= refreshWithinSeconds;
}

export const refreshSession = endpoint({
  method: 'POST',
  path: '/session/refresh',
  summary:
    'Renews the token within 600 s of its end, locked or not: a new cookie, or for a bearer caller the token to use from now on. Earlier it changes nothing. Does not count as activity and does not extend the 12-hour session limit. A replaced token that is presented here later than 30 s after its renewal ends the session on all its tokens',
  access: 'anyone',
  reply: z.object({
    tokenExpiresAt: Instant,
    /** A bearer caller's new token; the same again within 30 s. For other calls the old one works until its own end. */
    token: z.optional(z.string()),
  }),
  refusals: ['not_signed_in'],
});

export const Device = z.object({
  id: z.uuid(),
  /** `program` for a bearer token that some software uses. */
  kind: z.enum(['browser', 'program']),
  /** Names as makers give them, null where the device does not say: "Firefox", "Windows". */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** The network address it signed in from. */
  address: z.nullable(z.string()),
  /** It signed in from the address that this call comes from. */
  sameAddress: z.boolean(),
  signedInAt: Instant,
  /** The last real input; for a program the time it signed in. */
  activeAt: Instant,
  locked: z.boolean(),
  current: z.boolean(),
});
export type Device = z.output<typeof Device>;

export const Devices = z.object({ devices: z.array(Device) });

export const listDevices = endpoint({
  method: 'GET',
  path: '/session/devices',
  summary: 'The devices the caller is signed in on, this one first, then the last used',
  access: 'person',
  reply: Devices,
});

export const signOutDevice = endpoint({
  method: 'DELETE',
  path: '/session/devices/:deviceId',
  summary: "Signs one of the caller's devices out at once, on HTTP and sockets; answers those left",
  access: 'person',
  params: z.object({ deviceId: z.uuid() }),
  reply: Devices,
});

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/sign-out/everywhere',
  summary: 'Signs every device of the caller out at once, this one too, on HTTP and sockets',
  access: 'person',
  reply: z.object({ signedOut: z.int() }),
});

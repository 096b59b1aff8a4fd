import * as z from 'zod/mini';
import type { Services } from '#server/context.ts';
import { dropboxSignCalls } from './dropbox-sign-calls.ts';
import { eventReply, readDropboxSignEvent } from './dropbox-sign-event.ts';
import type { DropboxSignSettings } from './dropbox-sign-settings.ts';
import { EsignRefused, type Esign, type SigningRequest, type SigningState } from './port.ts';

/** The fields we read of the vendor's answers; the others may change. */
const Signature = z.object({
  signature_id: z.string(),
  signer_email_address: z.string(),
  signer_name: z.nullish(z.string()),
  status_code: z.string(),
  decline_reason: z.nullish(z.string()),
  signed_at: z.nullish(z.number()),
  last_viewed_at: z.nullish(z.number()),
});
const Request = z.object({
  signature_request_id: z.string(),
  metadata: z.nullish(z.record(z.string(), z.unknown())),
  is_complete: z.boolean(),
  is_declined: z.boolean(),
  has_error: z.boolean(),
  signatures: z.array(Signature).check(z.minLength(1)),
});
type Request = z.output<typeof Request>;
const OneRequest = z.object({ signature_request: Request });
const Requests = z.object({ signature_requests: z.array(z.unknown()) });
const SignUrl = z.object({ embedded: z.object({ sign_url: z.string(), expires_at: z.nullish(z.number()) }) });

const linkLifeMs = 60 * 60_000;
/** US Letter in points. If a page is named, the vendor counts from the top at 72 per inch. */
const pageHeight = 792;

/**
 * Dropbox Sign, embedded: the practice signs in a frame on our page. Tested against its published contract, never against the live service.
 */
export function dropboxSign({ now }: Pick<Services, 'now'>, settings: DropboxSignSettings, patienceMs?: number): Esign {
  const { get, post } = dropboxSignCalls(settings, patienceMs);

  const read = async (requestId: string) =>
    parse(OneRequest, await get(`/signature_request/${encodeURIComponent(requestId)}`)).signature_request;

  /** Finds requests with our reference in their metadata. The search may not list a new one yet, but it is first in the plain list. */
  const search = async (reference: string, query: Record<string, string>) => {
    const list = parse(Requests, await get(`/signature_request/list?${new URLSearchParams(query).toString()}`));
    return list.signature_requests
      .map((one) => z.safeParse(Request, one))
      .find((one) => one.success && one.data.metadata?.reference === reference)?.data;
  };

  return {
    name: 'dropbox-sign',
    client: { kind: 'dropbox-sign', clientId: settings.clientId, skipDomainVerification: settings.testMode },
    frameSources: ['https://*.hellosign.com'],
    callbackReply: eventReply,

    async create({ reference, title, fileName, pdf, signer, place, signal }) {
      const form = new FormData();
      form.set('client_id', settings.clientId);
      form.set('test_mode', String(settings.testMode));
      form.set('title', title.slice(0, 255));
      form.set('files[0]', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), fileName);
      const parts = {
        signers: [{ name: signer.name, email_address: signer.email }],
        metadata: { reference, officeId: reference.split('.')[0] },
        signing_options: { draw: true, type: true, upload: false, phone: false, default_type: 'type' },
        form_fields_per_document: fieldsAt(place),
      };
      for (const [name, value] of Object.entries(parts)) form.set(name, JSON.stringify(value));
      form.set('allow_decline', 'true');
      const made = await post('/signature_request/create_embedded', { body: form, signal });
      return idsOf(parse(OneRequest, made).signature_request);
    },

    async find(reference) {
      const found = (await search(reference, { page_size: '100' })) ?? (await search(reference, { query: reference }));
      return found ? idsOf(found) : null;
    },

    async read(requestId) {
      return signingRequestOf(await read(requestId));
    },

    async mintLink({ signatureId }) {
      const { embedded } = parse(SignUrl, await get(`/embedded/sign_url/${encodeURIComponent(signatureId)}`));
      const url = URL.parse(embedded.sign_url.replaceAll('&amp;', '&'));
      if (url?.protocol !== 'https:') throw new EsignRefused('other');
      const ends = embedded.expires_at ? embedded.expires_at * 1000 : now().getTime() + linkLifeMs;
      return { url: url.href, expiresAt: new Date(ends) };
    },

    async signedPdf(requestId) {
      try {
        return await get(`/signature_request/files/${encodeURIComponent(requestId)}?file_type=pdf`);
      } catch (error) {
        const isBeingMade = error instanceof EsignRefused && error.reason === 'conflict';
        throw isBeingMade ? new EsignRefused('not-ready', error.retryAfterSeconds) : error;
      }
    },

    async cancel(requestId) {
      try {
        await post(`/signature_request/cancel/${encodeURIComponent(requestId)}`);
      } catch (error) {
        if (error instanceof EsignRefused && error.reason === 'gone') return;
        const isOver = await read(requestId).then(
          (request) => stateOf(request) !== 'open',
          () => false,
        );
        if (!isOver) throw error;
      }
    },

    readCallback: (call) => readDropboxSignEvent(settings.apiKey, call, now()),
  };
}

/** The signature at its position, and the date beside it; pixels equal points. */
function fieldsAt({ page, x, y, width, height }: Parameters<Esign['create']>[0]['place']) {
  const field = { document_index: 0, required: true, signer: '0', page, height: Math.round(height) };
  const top = Math.round(pageHeight - y - height);
  const dateX = Math.round(x + width + 12);
  return [
    { ...field, api_id: 'signature', type: 'signature', x: Math.round(x), y: top, width: Math.round(width) },
    { ...field, api_id: 'signed_on', type: 'date_signed', x: dateX, y: top, width: 90 },
  ];
}

/** Status codes seen so far: awaiting_signature, signed, declined [contract]; expired, error and canceled [documentation]. */
function stateOf({ is_complete, is_declined, has_error, signatures }: Request): SigningState {
  const codes = new Set(signatures.map(({ status_code }) => status_code));
  if (is_complete || (codes.size === 1 && codes.has('signed'))) return 'signed';
  if (is_declined || codes.has('declined')) return 'declined';
  if (codes.has('expired')) return 'expired';
  if (codes.has('canceled')) return 'canceled';
  return has_error || [...codes].some((code) => code.startsWith('error')) ? 'failed' : 'open';
}

function signingRequestOf(request: Request): SigningRequest {
  const signature = firstOf(request);
  const moment = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
  const { reference } = request.metadata ?? {};
  return {
    requestId: request.signature_request_id,
    state: stateOf(request),
    reference: typeof reference === 'string' ? reference : null,
    signer: { name: signature.signer_name ?? '', email: signature.signer_email_address },
    viewedAt: moment(signature.last_viewed_at),
    signedAt: moment(signature.signed_at),
    declineReason: signature.decline_reason ?? null,
  };
}

function idsOf(request: Request): { requestId: string; signatureId: string } {
  return { requestId: request.signature_request_id, signatureId: firstOf(request).signature_id };
}

function firstOf({ signatures }: Request): z.output<typeof Signature> {
  const [first] = signatures;
  if (!first) throw new EsignRefused('other');
  return first;
}

/** Parses an answer; an unexpected shape counts as no answer. */
function parse<T>(schema: z.ZodMiniType<T>, answer: Buffer): T {
  try {
    return z.parse(schema, JSON.parse(answer.toString('utf8')));
  } catch {
    throw new EsignRefused('unreachable');
  }
}

import { Refusal } from './refusal.ts';

/** Enough for the fields of any form of ours, and a file. */
const mostParts = 10;
const mostHeaderBytes = 2_000;
const endOfHeaders = '\r\n\r\n';

/**
 * Parses a `multipart/form-data` body, or throws `invalid_input`. The parser holds up the main thread: 10 MB of empty parts took it 5 s, and
 * one part with as many headers 2 s. So the parts and their headers are counted first, by the only boundary that the parser is given.
 */
export async function readForm(sent: Buffer, contentType: string): Promise<FormData> {
  const boundary = /;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*(;|$)/i.exec(contentType)?.[1];
  if (boundary === undefined || !isShort(sent, `--${boundary}`)) throw new Refusal('invalid_input');
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  return new Response(new Uint8Array(sent), { headers }).formData().catch(() => {
    throw new Refusal('invalid_input');
  });
}

/** Whether the body has few parts, each with short headers. */
function isShort(sent: Buffer, delimiter: string): boolean {
  let delimiters = 0;
  for (let at = sent.indexOf(delimiter); at >= 0; at = sent.indexOf(delimiter, at)) {
    at += delimiter.length;
    // One delimiter is before each part, and one at the end.
    if (++delimiters > mostParts + 1) return false;
    const isEnd = sent.toString('latin1', at, at + 2) === '--';
    if (!isEnd && !sent.subarray(at, at + mostHeaderBytes).includes(endOfHeaders)) return false;
  }
  return true;
}

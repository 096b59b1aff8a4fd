import type { IncomingMessage, ServerResponse } from 'node:http';
import { accountPath, twilioAccount, twilioToken } from './twilio-account.ts';

/** The pictures that phones send to Twilio at `url`. */
export function twilioFiles(url: () => string, sid: (kind: string) => string) {
  /** Files of incoming messages, by their path; with where the API redirects to, if not to the media host. */
  const files = new Map<string, { content: Buffer; redirect?: string }>();

  /** A file that a phone sends; returns its address. */
  function addFile(content: Buffer, redirect?: string): string {
    const path = `${accountPath}/Messages/${sid('MM')}/Media/${sid('ME')}`;
    files.set(path, { content, ...(redirect !== undefined && { redirect }) });
    return `${url()}${path}`;
  }

  /** The API redirects to a file; the media host has it, and must not get our login. */
  function serveFile({ headers, method }: IncomingMessage, res: ServerResponse, path: string): boolean {
    const isStored = path.startsWith('/stored');
    const file = files.get(isStored ? path.slice('/stored'.length) : path);
    if (method !== 'GET' || !file) return false;
    if (isStored && headers.authorization === undefined) res.writeHead(200).end(file.content);
    else if (!isStored && headers.authorization === `Basic ${btoa(`${twilioAccount}:${twilioToken}`)}`)
      res.writeHead(307, { location: file.redirect ?? `${url()}/stored${path}` }).end();
    else res.writeHead(401).end();
    return true;
  }

  return { addFile, serveFile };
}

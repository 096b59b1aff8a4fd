import type { Endpoint } from '#contract/endpoint.ts';
import { CallError, headersOf, urlOf, type CallInput } from '#web/kit/call.ts';
import { noteConnected, noteDisconnected } from '#web/kit/connection.ts';

interface Options {
  signal: AbortSignal;
  /** The share sent, 0 to 1. */
  onProgress: (part: number) => void;
  /** The body, for an endpoint that takes a file instead of JSON. */
  file?: Blob;
}

/** Sends a large body and reports progress, with XMLHttpRequest, because fetch cannot. Throws CallError like `call`. */
export function callWithProgress<R, P, Q, B>(
  e: Endpoint<R, P, Q, B>,
  input: CallInput<P, Q, B>,
  { file, ...options }: Options,
): Promise<R> {
  const { params, query, body } = input as Record<string, Record<string, unknown> | undefined>;
  const contentType = file ? file.type || 'application/octet-stream' : 'application/json';
  return upload(e.method, urlOf(e.path, params, query), file ?? JSON.stringify(body), { ...options, contentType });
}

/** The same with a form, for an endpoint that takes `multipart`. */
export function callWithForm<R, P, Q, B>(
  e: Endpoint<R, P, Q, B>,
  input: CallInput<P, Q, undefined>,
  form: FormData,
  options: Omit<Options, 'file'>,
): Promise<R> {
  const { params, query } = input as Record<string, Record<string, unknown> | undefined>;
  return upload(e.method, urlOf(e.path, params, query), form, options);
}

function upload<R>(
  method: string,
  url: string,
  body: XMLHttpRequestBodyInit,
  { signal, onProgress, contentType }: Options & { contentType?: string },
): Promise<R> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', stop);
      settle();
    };
    request.open(method, url);
    headersOf('application/json').forEach((value, name) => request.setRequestHeader(name, value));
    // A form brings its own content type, with the border between its parts.
    if (contentType) request.setRequestHeader('content-type', contentType);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onProgress(1);
    request.onload = () => {
      noteConnected();
      const answer = request.response as Record<string, unknown> | null;
      if (request.status >= 300)
        end(() => reject(new CallError(request.status, answer ?? {}, request.getResponseHeader('retry-after'))));
      else if (answer) end(() => resolve(answer as R));
      // For example the sign-in page of a guest network, which answers everything with 200.
      else end(() => reject(new Error('an upload got an answer that is not from our server')));
    };
    request.onerror = () => {
      noteDisconnected();
      end(() => reject(new CallError(0, { type: 'urn:anteroom:problem:offline' })));
    };
    request.onabort = () => end(() => reject(signal.reason as Error));
    signal.addEventListener('abort', stop);
    request.send(body);
  });
}

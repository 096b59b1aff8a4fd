import type { Endpoint } from '#contract/endpoint.ts';
import { headersOf, readJson, refusedBy, sendRequest, urlOf, type CallInput } from './call.ts';

interface Options {
  signal?: AbortSignal;
  /** Bytes received, and the total; undefined if the server did not send it. */
  onProgress?: (bytes: number, of: number | undefined) => void;
}

/** Calls an endpoint that returns a file. Throws CallError like `call`; an incomplete file is an error too. */
export async function callForFile<R, P, Q, B>(
  e: Endpoint<R, P, Q, B>,
  input: CallInput<P, Q, B>,
  { signal, onProgress }: Options = {},
): Promise<{ blob: Blob; fileName: string }> {
  const { params, query, body } = input as Record<string, Record<string, unknown> | undefined>;
  const headers = headersOf('*/*');
  if (body !== undefined) headers.set('content-type', 'application/json');
  const res = await sendRequest(urlOf(e.path, params, query), {
    method: e.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (!res.ok) throw refusedBy(res, await readJson(res));
  const of = Number(res.headers.get('content-length')) || undefined;
  let bytes = 0;
  const counted = res.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, control) {
        bytes += part.byteLength;
        onProgress?.(bytes, of);
        control.enqueue(part);
      },
    }),
  );
  const blob = await new Response(counted, {
    headers: { 'content-type': res.headers.get('content-type') ?? '' },
  }).blob();
  return { blob, fileName: nameIn(res.headers.get('content-disposition') ?? '') };
}

/** Saves a file through the browser's downloads. */
export function saveFile({ blob, fileName }: { blob: Blob; fileName: string }): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function nameIn(disposition: string): string {
  const name = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return name ? decodeURIComponent(name) : '';
}

import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { pictureMaxBytes } from '#contract/conversations/messages.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { readForm } from '#server/kit/http/read-form.ts';
import { readUpload } from '#server/kit/http/read-upload.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openUploadMemory } from '#server/kit/http/upload-memory.ts';

/** The fields beside a picture, and the borders between the parts. */
const mostOtherBytes = 64_000;
const uploadMs = 120_000;

interface PictureForm {
  fields: Record<string, string>;
  attachment: Buffer | null;
  /** The sender's network, whose share of the decoders a picture takes. */
  network: string;
}

/** Whether a message comes as a form, perhaps with a picture, and not as JSON. */
export const isForm = ({ headers }: FastifyRequest) =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true;

/** Reads a form into reserved memory, and passes its fields and its file named `attachment` on. The memory is free again afterwards. */
export async function readPictureForm<T>(req: FastifyRequest, use: (form: PictureForm) => Promise<T>): Promise<T> {
  const most = pictureMaxBytes + mostOtherBytes;
  const length = Number(req.headers['content-length'] ?? 0);
  if (length > most) throw new Refusal('picture_too_large');
  const network = networkOfAddress(req.ip);
  const memory = openUploadMemory(network);
  try {
    const refusals = { tooLarge: 'picture_too_large', tooSlow: 'picture_unreadable' } as const;
    const sent = await readUpload(req.body as Readable, { maxBytes: most, withinMs: uploadMs, memory, refusals });
    const form = await readForm(sent, req.headers['content-type'] ?? '');
    return await use({ ...(await partsOf(form)), network });
  } finally {
    memory.release();
  }
}

async function partsOf(form: FormData) {
  const fields: Record<string, string> = {};
  for (const [name, value] of form) if (typeof value === 'string') fields[name] = value;
  const file = form.get('attachment');
  if (file === null || typeof file === 'string') return { fields, attachment: null };
  if (file.size > pictureMaxBytes) throw new Refusal('picture_too_large');
  return { fields, attachment: Buffer.from(await file.arrayBuffer()) };
}

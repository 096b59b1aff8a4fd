import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openFairQueue } from './fair-queue.ts';

// One thread per picture and no cache, so that other requests do not have to wait.
sharp.concurrency(1);
sharp.cache(false);

/** More than any phone's camera takes, less than would exhaust the memory. */
const mostPixels = 60_000_000;
/**
 * No camera writes PNG or WebP; screenshots and scans have less. They compress so well that a PNG of 256 kB had 60 million pixels, which took
 * a decoder 13 s and 300 MB.
 */
const mostPixelsWithoutCamera = 16_000_000;
/** Two decoders leave the other cores to requests. */
const decoders = openFairQueue({ running: 2, waiting: 24, waitingOfSender: 8 });

export interface Picture {
  content: Buffer;
  contentType: 'image/jpeg' | 'image/png';
  width: number;
  height: number;
}

export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif';
export type PictureKind = 'photo' | 'signature';

/**
 * Decodes and re-encodes a picture: upright, at most 2,400 pixels wide and high, without any metadata of the phone, the place or anything
 * else. Throws photo_heic, photo_unreadable, photo_too_large, signature_blank, overloaded.
 */
export async function readPicture(
  bytes: Buffer,
  kind: PictureKind,
  network: string,
  types: readonly PictureType[] = ['image/jpeg', 'image/png', 'image/webp'],
): Promise<Picture> {
  const type = (await fileTypeFromBuffer(bytes))?.mime;
  if (type?.startsWith('image/hei')) throw new Refusal('photo_heic');
  if (!types.some((accepted) => accepted === type)) throw new Refusal('photo_unreadable');
  return decoders.run(network, () => encode(bytes, kind, type === 'image/jpeg' ? mostPixels : mostPixelsWithoutCamera));
}

async function encode(given: Buffer, kind: PictureKind, limitInputPixels: number): Promise<Picture> {
  const most = kind === 'photo' ? 2_400 : 1_200;
  const upright = sharp(given, { limitInputPixels, failOn: 'error' })
    .timeout({ seconds: 20 })
    .autoOrient()
    .resize({ width: most, height: most, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' });
  try {
    const encoded = kind === 'photo' ? upright.jpeg({ quality: 82 }) : upright.png({ compressionLevel: 9 });
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    if (kind === 'signature' && (await isOneColour(data))) throw new Refusal('signature_blank');
    const contentType = kind === 'photo' ? 'image/jpeg' : 'image/png';
    return { content: data, contentType, width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const tooMuch = error instanceof Error && /pixel limit|timeout/i.test(error.message);
    throw new Refusal(tooMuch ? 'photo_too_large' : 'photo_unreadable');
  }
}

async function isOneColour(picture: Buffer): Promise<boolean> {
  const { channels } = await sharp(picture).stats();
  return channels.every(({ min, max }) => min === max);
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { keyedHash } from './secret.ts';

/** Encrypts with AES-256-GCM and a separate key for each purpose, so that no ciphertext can be read, changed or used for another purpose. */
export function encrypt(secret: string, purpose: string, plain: Buffer): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyedHash(secret, 'seal', purpose), iv);
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts what `encrypt` made for this purpose; null for anything else. */
export function decrypt(secret: string, purpose: string, encrypted: Buffer): Buffer | null {
  if (encrypted.length < 28) return null;
  const decipher = createDecipheriv('aes-256-gcm', keyedHash(secret, 'seal', purpose), encrypted.subarray(0, 12), {
    authTagLength: 16,
  });
  decipher.setAuthTag(encrypted.subarray(12, 28));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]);
  } catch {
    return null;
  }
}

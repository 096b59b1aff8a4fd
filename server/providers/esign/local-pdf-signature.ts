import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { P12Signer } from '@signpdf/signer-p12';
import { pdflibAddPlaceholder } from '@signpdf/placeholder-pdf-lib';
import { SignPdf } from '@signpdf/signpdf';
import forge from 'node-forge';
import type { Services } from '#server/context.ts';
import type { TaggedPdf } from '#server/kit/pdf/append.ts';

type Owner = Pick<Services, 'env' | 'now'>;

const madeHere = new Map<string, Promise<Buffer>>();

/**
 * Signs a document with this installation's own certificate, so that any later change shows. It proves that the file is what we stored, not
 * who signed: no outside authority vouches for the certificate.
 */
export async function signPdf(
  services: Owner,
  { pdf, tagFields }: TaggedPdf,
  about: { reason: string; at: Date },
): Promise<Buffer> {
  const name = services.env.productName;
  pdflibAddPlaceholder({
    pdfDoc: pdf,
    reason: about.reason,
    contactInfo: services.env.publicUrl,
    name,
    location: new URL(services.env.publicUrl).host,
    signingTime: about.at,
    signatureLength: 8192,
    appName: name,
  });
  tagFields(`Digital signature of ${name}`);
  const open = Buffer.from(await pdf.save({ useObjectStreams: false }));
  return new SignPdf().sign(open, new P12Signer(await certificate(services)), about.at);
}

/** Key and certificate, created once in DATA_DIR/secrets; if processes start together, they all use the first one's. */
function certificate({ env, now }: Owner): Promise<Buffer> {
  const file = join(env.dataDir, 'secrets', 'esign-seal.p12');
  let made = madeHere.get(file);
  if (!made) {
    made = readOrMake(file, () => makeCertificate(env.productName, now()));
    madeHere.set(file, made);
    made.catch(() => madeHere.delete(file));
  }
  return made;
}

async function readOrMake(file: string, make: () => Buffer): Promise<Buffer> {
  const storedP12 = await readFile(file).catch(() => null);
  if (storedP12) return storedP12;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, make(), { mode: 0o600, flush: true });
  await link(draft, file).catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return readFile(file);
}

function makeCertificate(name: string, now: Date): Buffer {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const key = forge.pki.privateKeyFromPem(privateKey);
  const cert = forge.pki.createCertificate();
  cert.publicKey = forge.pki.rsa.setPublicKey(key.n, key.e);
  cert.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(15))}`;
  cert.validity.notBefore = new Date(now.getTime() - 86_400_000);
  cert.validity.notAfter = new Date(now.getTime() + 3_650 * 86_400_000);
  // The library's types declare the tag as a class; a name may contain any character.
  const valueTagClass = forge.asn1.Type.UTF8 as unknown as forge.asn1.Class;
  const self = [
    { name: 'commonName', value: `${name} local seal (demonstration)`, valueTagClass },
    { name: 'organizationName', value: name, valueTagClass },
  ];
  cert.setSubject(self);
  cert.setIssuer(self);
  cert.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true },
  ]);
  cert.sign(key, forge.md.sha256.create());
  // The file's mode protects it, not a password: hashing an empty one thousands of times would only slow every signature down.
  const p12 = forge.pkcs12.toPkcs12Asn1(key, [cert], '', { algorithm: '3des', count: 1, useMac: false });
  return Buffer.from(forge.asn1.toDer(p12).getBytes(), 'binary');
}

import { createHash } from 'node:crypto';
import type { Services } from '#server/context.ts';
import { openTaggedPdf, type TaggedPdf } from '#server/kit/pdf/append.ts';
import { createPdf, type Box, type PdfInfo } from '#server/kit/pdf/document.ts';
import { signPdf } from './local-pdf-signature.ts';
import type { RequestRow, Visitor } from './local-sql.ts';

/** The signer's input: a name, and strokes if they drew. Points are fractions of the pad's size, from its upper left corner. */
export interface SignedFields {
  name: string;
  strokes: [x: number, y: number][][] | null;
  /** The pad's height divided by its width. */
  ratio: number;
}

export interface TrailEvent {
  type: string;
  at: Date;
  address: string | null;
  userAgent: string | null;
  note: string | null;
}

const ink = '#0d1a59';
const utc = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/**
 * The signed document: the signature in its position, a page with who, when and from where, and the PDF signature over all of it. The
 * hashes on that page are of the document as sent, and with the signature before that page was added.
 */
export async function createSignedPdf(
  services: Pick<Services, 'env' | 'now'>,
  sent: Buffer,
  request: RequestRow,
  written: SignedFields,
  signer: { visitor: Visitor; signedInAs: string; consent: string },
  trail: readonly TrailEvent[],
): Promise<Buffer> {
  const at = services.now();
  const info = { product: services.env.productName, language: 'en-US', date: at };
  const whole = await openTaggedPdf(sent);
  await writeSignature(whole, info, request.place as unknown as Box, written, at);
  const signed = Buffer.from(await whole.pdf.save());

  const summaryPage = createPdf({ ...info, title: 'Signature record', documentText: written.name });
  summaryPage.newPage();
  summaryPage.heading('Signature record');
  summaryPage.paragraph(request.title, { face: 'bold', size: 11, after: 8 });
  summaryPage.facts([
    ['Signed by', written.name],
    ['Email of the signer', request.signerEmail],
    ['Signed in to the panel as', signer.signedInAs],
    ['Signed at', utc(at)],
    ['From address', signer.visitor.address],
    ['With', signer.visitor.userAgent || 'unknown'],
    ['Signature', written.strokes ? 'drawn, with the name typed' : 'typed'],
    ['Request', request.id],
    ['SHA-256 as sent', request.pdfSha256],
    ['SHA-256 as signed', sha256(signed)],
  ]);
  summaryPage.paragraph(`Consent given: “${signer.consent}”`, { size: 9.5, after: 10 });
  summaryPage.heading('Events', 2);
  const signing = { type: 'signed', at, address: signer.visitor.address, userAgent: null, note: written.name };
  summaryPage.facts(
    [...trail, signing].map((event) => {
      const from = event.address ? `, from ${event.address}` : '';
      return [utc(event.at), `${eventLabels[event.type] ?? event.type} ${event.note ?? ''}${from}`];
    }),
  );
  summaryPage.gap(6);
  summaryPage.paragraph(
    `Signed with the own certificate of this ${services.env.productName} installation: every later change to the file shows. ` +
      'The certificate is a demonstration: no certification authority vouches for it, and it is not a qualified electronic signature.',
    { size: 9 },
  );
  const pages = whole.pdf.getPageCount();
  const complete = await openTaggedPdf(signed);
  await complete.appendPages(
    await summaryPage.finish({ left: `Request ${request.id}`, page: (n, of) => `Page ${pages + n} of ${pages + of}` }),
  );
  return signPdf(services, complete, { reason: request.title, at });
}

const eventLabels: Record<string, string> = {
  created: 'Request made for',
  link_made: 'Signing link made by',
  viewed: 'Document opened by',
  signed: 'Signed by',
};

async function writeSignature(
  to: TaggedPdf,
  info: Omit<PdfInfo, 'title'>,
  box: Box,
  { name, strokes, ratio }: SignedFields,
  at: Date,
): Promise<void> {
  const overlay = createPdf({ ...info, title: 'Signature', documentText: name, isOverlay: true });
  overlay.newPage();
  if (strokes) for (const points of fitStrokes(strokes, box, ratio)) overlay.stroke(points, { width: 1.2, color: ink });
  else overlay.textAt(name, { x: box.x + 4, y: box.y + 7, size: 26, width: box.width, face: 'hand', color: ink });
  const beside = { x: box.x + box.width + 24, size: 10 };
  overlay.textAt(name, { ...beside, y: box.y + 18 });
  overlay.textAt(utc(at), { ...beside, y: box.y + 3 });
  const how = strokes ? 'Handwritten signature' : 'Typed signature';
  const figure = { ...box, width: box.width + 200 };
  await to.stamp(await overlay.finish(), figure, `${how} of ${name}, ${utc(at)}`);
}

/** Scales the drawing into its box without distortion. */
function fitStrokes(strokes: SignedFields['strokes'] & object, box: Box, ratio: number): [number, number][][] {
  const width = Math.min(box.width, box.height / ratio);
  return strokes.map((stroke) => stroke.map(([x, y]) => [box.x + x * width, box.y + (1 - y) * width * ratio]));
}

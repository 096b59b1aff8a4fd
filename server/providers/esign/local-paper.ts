import { createHash } from 'node:crypto';
import { PDFDocument, rgb, type PDFPage } from 'pdf-lib';
import type { House } from '#server/ctx.ts';
import { drawRuns, numberPages, openPaper, type Place } from '#server/kit/paper.ts';
import { lettersOf } from '#server/kit/paper-fonts.ts';
import { seal } from './local-seal.ts';
import type { RequestRow, Visitor } from './local-sql.ts';

/** What the signer wrote: a name, and lines if they drew. Points are fractions of the pad, from its upper left corner. */
export interface Written {
  name: string;
  strokes: [x: number, y: number][][] | null;
  /** Height of the pad as a part of its width. */
  ratio: number;
}

export interface TrailEvent {
  type: string;
  at: Date;
  address: string | null;
  userAgent: string | null;
  note: string | null;
}

const ink = rgb(0.05, 0.1, 0.35);
const utc = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/**
 * The signed document: the signature in its place, a page that tells who, when and from where, and the seal over all of it.
 * The hashes on that page are of the document as it was sent, and of it with the signature before that page was added.
 */
export async function signedPaper(
  house: Pick<House, 'env' | 'now'>,
  sent: Buffer,
  request: RequestRow,
  written: Written,
  signer: { visitor: Visitor; signedInAs: string; consent: string },
  trail: readonly TrailEvent[],
): Promise<Buffer> {
  const at = house.now();
  const pdf = await PDFDocument.load(sent);
  await writeSignature(pdf, request.place as unknown as Place, written, at);
  const signed = Buffer.from(await pdf.save());

  const whole = await PDFDocument.load(signed);
  const paper = await openPaper(whole, JSON.stringify([request.title, written.name, signer, trail]));
  paper.newPage();
  paper.title('Signature record');
  paper.paragraph(request.title, { face: 'bold', size: 11, after: 8 });
  paper.facts([
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
  paper.paragraph(`Consent given: “${signer.consent}”`, { size: 9.5, after: 10 });
  paper.heading('Events');
  const signing = { type: 'signed', at, address: signer.visitor.address, userAgent: null, note: written.name };
  paper.facts(
    [...trail, signing].map((event) => {
      const from = event.address ? `, from ${event.address}` : '';
      return [utc(event.at), `${eventWords[event.type] ?? event.type} ${event.note ?? ''}${from}`];
    }),
  );
  paper.gap(6);
  paper.paragraph(
    `Sealed with the own certificate of this ${house.env.productName} installation: every later change to the file shows. ` +
      'The seal is a demonstration: no certification authority vouches for it, and it is not a qualified electronic signature.',
    { size: 9 },
  );
  await numberPages(whole, `Request ${request.id}`, (n, of) => `Page ${n} of ${of}`, [whole.getPageCount() - 1]);
  return seal(house, whole, { reason: request.title, at });
}

const eventWords: Record<string, string> = {
  created: 'Request made for',
  link_made: 'Signing link made by',
  viewed: 'Document opened by',
  signed: 'Signed by',
};

async function writeSignature(pdf: PDFDocument, place: Place, { name, strokes, ratio }: Written, at: Date) {
  const on = pdf.getPage(place.page - 1);
  if (strokes) drawStrokes(on, place, strokes, ratio);
  else {
    const hand = await lettersOf(pdf, 'hand', name);
    const size = Math.min(26, (26 * place.width) / hand.width(name, 26));
    drawRuns(on, hand, name, { x: place.x + 4, y: place.y + 7, size, color: ink });
  }
  const plain = await lettersOf(pdf, 'plain', name);
  const beside = { x: place.x + place.width + 24, size: 10, color: rgb(0.1, 0.12, 0.16) };
  drawRuns(on, plain, name, { ...beside, y: place.y + 18 });
  drawRuns(on, plain, utc(at), { ...beside, y: place.y + 3 });
}

/** Fits the drawing into its place without bending it. */
function drawStrokes(on: PDFPage, place: Place, strokes: [number, number][][], ratio: number): void {
  const width = Math.min(place.width, place.height / ratio);
  const point = ([x, y]: [number, number]) => ({ x: place.x + x * width, y: place.y + (1 - y) * width * ratio });
  for (const stroke of strokes) {
    for (const [i, to] of stroke.entries()) {
      const start = point(stroke[i - 1] ?? to);
      on.drawLine({ start, end: point(to), thickness: 1.2, color: ink, lineCap: 1 });
    }
  }
}

import { PDFDocument } from 'pdf-lib';
import { numberPages, openPaper, type Place } from '#server/kit/paper.ts';
import type { ReadablePart } from '#server/providers/esign/port.ts';
import { agreementText, type AgreementText, type Parties } from './template.ts';

/** A version of the agreement as a PDF, and where the signature belongs. The same input makes the same bytes. */
export async function agreementPaper(
  version: string,
  parties: Parties,
  at: Date,
): Promise<{ title: string; pdf: Buffer; place: Place; readable: ReadablePart[] }> {
  const text = agreementText(version, parties);
  const title = `${text.title}, ${parties.coveredEntity.name}`;
  const pdf = await PDFDocument.create();
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setAuthor(parties.businessAssociate);
  pdf.setSubject(`HIPAA ${text.title}, version ${version}`);
  pdf.setLanguage('en-US');
  pdf.setProducer(parties.product);
  pdf.setCreator(parties.product);
  pdf.setCreationDate(at);
  pdf.setModificationDate(at);

  const paper = await openPaper(pdf, JSON.stringify(text) + JSON.stringify(parties));
  paper.title(text.title);
  paper.facts([
    ['Covered Entity', parties.coveredEntity.name],
    ['NPI', parties.coveredEntity.npi],
    ['Address', parties.coveredEntity.address],
    ['Business Associate', parties.businessAssociate],
    ['Version of this text', version],
  ]);
  for (const paragraph of text.opening) paper.paragraph(paragraph);
  for (const { heading, clauses } of text.sections) {
    paper.heading(heading);
    for (const { mark, text: words } of clauses) paper.paragraph(words, { indent: 28, mark });
  }
  paper.heading('Signature');
  paper.paragraph(text.closing, { after: 14 });
  const place = paper.field(`For ${parties.coveredEntity.name}: signature, name and time`, { width: 220, height: 46 });
  await numberPages(pdf, `${text.title}, version ${version}`, (n, of) => `Page ${n} of ${of}`);
  return { title, pdf: Buffer.from(await pdf.save()), place, readable: readableOf(text) };
}

/** The words of the paper, for pages that show them as text. */
function readableOf({ opening, sections, closing }: AgreementText): ReadablePart[] {
  return [
    ...opening.map((text) => ({ text })),
    ...sections.flatMap(({ heading, clauses }) => [{ heading }, ...clauses.map(({ mark, text }) => ({ mark, text }))]),
    { text: closing },
  ];
}

import { createPdf, type Box } from '#server/kit/pdf/document.ts';
import type { AgreementPart } from '#server/providers/esign/port.ts';
import { agreementText, shownNpi, type AgreementText, type Parties } from './template.ts';

/** The agreement as a PDF, with the position of the signature box. The same input makes the same bytes. */
export async function agreementPdf(
  version: string,
  parties: Parties,
  at: Date,
): Promise<{ title: string; pdf: Buffer; place: Box; readable: AgreementPart[] }> {
  const text = agreementText(version, parties);
  const title = `${text.title}, ${parties.coveredEntity.name}`;
  const pdf = createPdf({
    title,
    author: parties.businessAssociate,
    subject: `HIPAA ${text.title}, version ${version}`,
    product: parties.product,
    language: 'en-US',
    date: at,
    documentText: JSON.stringify(parties),
  });
  pdf.title(text.title);
  pdf.facts([
    ['Covered Entity', parties.coveredEntity.name],
    ['NPI', shownNpi(parties.coveredEntity)],
    ['Address', parties.coveredEntity.address],
    ['Business Associate', parties.businessAssociate],
    ['Version of this text', version],
  ]);
  for (const paragraph of text.opening) pdf.paragraph(paragraph);
  for (const { heading, clauses } of text.sections) {
    pdf.heading(heading);
    pdf.list(clauses, { indent: 28 });
  }
  pdf.heading('Signature');
  pdf.paragraph(text.closing, { after: 14 });
  const label = `For ${parties.coveredEntity.name}: signature, name and time`;
  const place = pdf.signatureBox(label, { width: 220, height: 46 });
  const footer = { left: `${text.title}, version ${version}`, page: (n: number, of: number) => `Page ${n} of ${of}` };
  return { title, pdf: await pdf.finish(footer), place, readable: readableOf(text) };
}

/** The text of the PDF, for pages that show it as text. */
function readableOf({ opening, sections, closing }: AgreementText): AgreementPart[] {
  return [
    ...opening.map((text) => ({ text })),
    ...sections.flatMap(({ heading, clauses }) => [{ heading }, ...clauses.map(({ mark, text }) => ({ mark, text }))]),
    { text: closing },
  ];
}

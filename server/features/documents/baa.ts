import { agreementText, currentVersion } from '#server/features/agreement/index.ts';
import { baaInSpanish } from './baa-es.ts';
import type { PublishedDocument, DocumentText } from './document-text.ts';

/** The agreement that practices sign, with blanks for their data. */
export const baa: PublishedDocument = {
  version: currentVersion,
  since: `${currentVersion}-01`,
  texts: { en: inEnglish(), es: baaInSpanish },
};

function inEnglish(): DocumentText {
  const coveredEntity = { name: '[name of the practice]', npi: '[NPI]', address: '[address]' };
  const text = agreementText(currentVersion, { coveredEntity, businessAssociate: '{operator}', product: '{product}' });
  return {
    title: text.title,
    intro: text.opening,
    sections: [
      ...text.sections.map(({ heading, clauses }) => ({ heading, paragraphs: [], clauses })),
      { heading: 'Signature', paragraphs: [text.closing] },
    ],
  };
}

/** Our reference for a text at the carrier. Reports return it, so that the office is known without a search. */
export const referenceOf = (text: { officeId: string; id: string }) => `${text.officeId}.${text.id}`;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const reference = new RegExp(`^(${uuid})\\.(${uuid})$`);

/** The text of a reference; null if it is not one of ours. */
export function textOfReference(value: string): { officeId: string; id: string } | null {
  const [, officeId, id] = reference.exec(value) ?? [];
  return officeId && id ? { officeId, id } : null;
}

import type { Language, Translations } from '#contract/shapes.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { toLookAlikeKey, holdsWebAddress } from '#server/kit/look-alike-letters.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { lockNameAt, officesNear } from './sql.ts';

interface NamedPractice {
  name: string;
  addressLine1: string;
  city: string;
  state: string;
  zip: string;
}

const wrong = {
  product: {
    en: 'This is the name of our product. Enter the name of your practice.',
    es: 'Este es el nombre de nuestro producto. Ingrese el nombre de su consultorio.',
  },
  webAddress: {
    en: 'Enter the name without a web address. There is a field for your website.',
    es: 'Ingrese el nombre sin dirección web. Hay un campo para su sitio web.',
  },
  taken: {
    en: 'Another practice at this address has this name or one that looks like it. Add what tells them apart, or ask a colleague there to invite you.',
    es: 'Otro consultorio en esta dirección tiene este nombre o uno muy parecido. Agregue algo que los distinga o pida a un colega de allí que le invite.',
  },
} as const satisfies Record<string, Translations>;

/**
 * Refuses a name that patients could mistake for another practice at the same address, or for the product itself. Two practices that take a
 * name concurrently wait for each other.
 */
export async function refuseConfusableName(
  tx: Tx,
  { productName, language }: { productName: string; language: Language },
  place: NamedPractice,
  officeId: string | null,
): Promise<void> {
  const refuse = (why: keyof typeof wrong) =>
    new Refusal('registration_incomplete', { errorList: [{ field: 'name', message: wrong[why][language] }] });
  if (holdsWebAddress(place.name)) throw refuse('webAddress');
  const name = toLookAlikeKey(place.name);
  if (name === '' || name === toLookAlikeKey(productName)) throw refuse('product');

  const street = toLookAlikeKey(place.addressLine1);
  await lockNameAt(tx, place.state, street);
  const nearby = await officesNear(tx, place);
  const isTaken = nearby.some(
    (other) =>
      other.id !== officeId && toLookAlikeKey(other.addressLine1) === street && toLookAlikeKey(other.name) === name,
  );
  if (isTaken) throw refuse('taken');
}

import { isRecord } from '#questionnaire/values.ts';
import type { Fields } from './extracted.ts';

export const vitalSigns = {
  coding: [
    {
      system: 'http://terminology.hl7.org/CodeSystem/observation-category',
      code: 'vital-signs',
      display: 'Vital Signs',
    },
  ],
};

/** The vital signs of US Core by their LOINC code: the profile, and the UCUM units that it allows. */
const profiles: Readonly<Record<string, { profile: string; units: readonly string[] }>> = {
  '29463-7': { profile: 'us-core-body-weight', units: ['kg', 'g', '[lb_av]'] },
  '8302-2': { profile: 'us-core-body-height', units: ['cm', '[in_i]'] },
  '39156-5': { profile: 'us-core-bmi', units: ['kg/m2'] },
  '9843-4': { profile: 'us-core-head-circumference', units: ['cm', '[in_i]'] },
  '8310-5': { profile: 'us-core-body-temperature', units: ['Cel', '[degF]'] },
  '8867-4': { profile: 'us-core-heart-rate', units: ['/min'] },
  '9279-1': { profile: 'us-core-respiratory-rate', units: ['/min'] },
};

/** The vital sign that these codes name; `profile` is undefined where the value would break it. */
export function vitalSignOf(coding: readonly Fields[], value: Fields): { profile: string | undefined } | undefined {
  const code = coding.find(
    (one) => one['system'] === 'http://loinc.org' && Object.hasOwn(profiles, String(one['code'])),
  );
  if (!code) return undefined;
  const { profile, units } = profiles[String(code['code'])] ?? { profile: '', units: [] };
  const { system, code: unit } = isRecord(value['valueQuantity']) ? value['valueQuantity'] : {};
  const fits = system === 'http://unitsofmeasure.org' && units.includes(String(unit));
  return { profile: fits ? `http://hl7.org/fhir/us/core/StructureDefinition/${profile}` : undefined };
}

import { PDFDocument } from 'pdf-lib';
import { expect, test } from 'vitest';
import { agreementPdf } from './agreement-pdf.ts';
import { agreementText, currentVersion } from './template.ts';

const parties = {
  coveredEntity: { name: 'Łódź Pediatrics', address: '48 Maple Street, Brooklyn, NY 11201', npi: '1234567893' },
  businessAssociate: 'Anteroom Operations, Inc.',
  product: 'Anteroom',
};
const text = agreementText(currentVersion, parties);
const clauses = text.sections.flatMap((section) => section.clauses);

/** 45 CFR 164.504(e)(2): what the contract between a covered entity and a business associate must contain. */
const required = [
  '(e)(2)(i)',
  '(e)(2)(i)(A)',
  '(e)(2)(i)(B)',
  ...'ABCDEFGHIJ'.split('').map((letter) => `(e)(2)(ii)(${letter})`),
  '(e)(2)(iii)',
];

test.each(required)('a clause of the agreement covers 164.504%s', (part) => {
  expect(clauses.filter(({ carries }) => carries === part)).toHaveLength(1);
});

test('the agreement marks a provisional NPI in its text and in its facts', async () => {
  const coveredEntity = { ...parties.coveredEntity, npi: '9123456789' };
  const { opening } = agreementText(currentVersion, { ...parties, coveredEntity });
  expect(opening[0]).toContain('NPI 9123456789 (provisional), 48 Maple Street');
  const { readable } = await agreementPdf(currentVersion, { ...parties, coveredEntity }, new Date());
  expect(JSON.stringify(readable)).toContain('NPI 9123456789 (provisional),');
});

test('the agreement names both parties, and each clause has a unique number', () => {
  expect(text.opening[0]).toContain('Łódź Pediatrics, NPI 1234567893, 48 Maple Street, Brooklyn, NY 11201');
  expect(text.opening[0]).toContain('Anteroom Operations, Inc.');
  expect(new Set(clauses.map(({ mark }) => mark)).size).toBe(clauses.length);
});

test('the same agreement gives the same bytes, with the signature on the last page', async () => {
  const at = new Date('2026-03-02T15:00:00Z');
  const [one, two] = [await agreementPdf(currentVersion, parties, at), await agreementPdf(currentVersion, parties, at)];
  const pdf = await PDFDocument.load(one.pdf);
  expect(pdf.getTitle()).toBe('Business Associate Agreement, Łódź Pediatrics');
  expect(one.place.page).toBe(pdf.getPageCount());
  expect(one.readable.filter(({ text: body }) => body).length).toBe(clauses.length + text.opening.length + 1);
  expect(two.place).toEqual(one.place);
});

test('an unknown version of the agreement is an error', () => {
  expect(() => agreementText('1999-01', parties)).toThrow('1999-01');
});

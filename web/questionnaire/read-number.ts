/** A number as people type it (1,200 · 1.5 · 1,5); what is none stays the text it was. */
export function readNumber(text: string): number | string {
  const typed = text.normalize('NFKC').trim();
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(typed) ? typed.replaceAll(',', '') : typed.replace(',', '.');
  return /^[+-]?(\d{1,15}\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : text;
}

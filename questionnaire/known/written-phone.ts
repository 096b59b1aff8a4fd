/** A US phone number as people write it: (212) 555-0101; any other text unchanged. */
export function writtenPhone(text: string): string {
  const digits = /^\+?1?(\d{3})(\d{3})(\d{4})$/.exec(text.replaceAll(/[\s().-]/g, ''));
  return digits ? `(${digits[1]}) ${digits[2]}-${digits[3]}` : text;
}

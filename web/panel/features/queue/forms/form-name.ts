/** Shows a form name of up to 6 characters in full; cuts a longer one to 6 characters and '...'. */
export function shortFormName(name: string): string {
  const letters = Array.from(name);
  return letters.length < 7 ? name : `${letters.slice(0, 6).join('')}...`;
}

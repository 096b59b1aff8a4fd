/** Part 2 §9: a form's name under 7 characters is shown whole, a longer one is cut to 6 and '...'. */
export function shortFormName(name: string): string {
  const letters = Array.from(name);
  return letters.length < 7 ? name : `${letters.slice(0, 6).join('')}...`;
}

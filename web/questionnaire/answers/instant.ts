/** A day and a time of this phone's zone as the instant FHIR writes. */
export function instantOf(day: string, time: string): string {
  const at = new Date(`${day}T${time}`);
  if (Number.isNaN(at.getTime())) return `${day} ${time}`;
  const minutes = -at.getTimezoneOffset();
  const two = (n: number) => String(Math.trunc(Math.abs(n))).padStart(2, '0');
  return `${day}T${time}:00${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** +12125550101 as (212) 555-0101. Anything that is not a US number, an email address for example, stays as it is. */
export function formatPhone(phone: string): string {
  const digits = /^(?:\+1|1)?(\d{3})(\d{3})(\d{4})$/.exec(phone.replace(/[\s().-]/g, ''));
  return digits ? `(${digits[1]}) ${digits[2]}-${digits[3]}` : phone;
}

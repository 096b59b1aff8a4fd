const longestAddress = 200;
/** As the contract takes them: a name or an IPv4 address, in small letters. */
const hostName = /^([a-z\d]([a-z\d-]*[a-z\d])?\.)*[a-z\d]([a-z\d-]*[a-z\d])?$/;

/**
 * The origin of a website as somebody types its address: `Maple.example/contact` is https://maple.example. Null if it is no address. A name
 * without a dot is one only where web designers try pages out: on localhost.
 */
export function websiteOf(typed: string): string | null {
  const address = typed.trim();
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, username, password, origin } = new URL(url);
  const isPublic = hostname.includes('.') || hostname === 'localhost';
  if (!['https:', 'http:'].includes(protocol) || username !== '' || password !== '') return null;
  return isPublic && hostName.test(hostname) && origin.length <= longestAddress ? origin : null;
}

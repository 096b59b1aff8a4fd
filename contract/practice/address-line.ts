interface PostalAddress {
  addressLine1?: string | null | undefined;
  addressLine2?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  zip?: string | null | undefined;
}

/** The street of an address, with its second line where there is one. */
export const streetOf = ({ addressLine1, addressLine2 }: PostalAddress) => joinParts(addressLine1, addressLine2);

/** `Brooklyn, NY 11201`. */
export const cityLine = ({ city, state, zip }: PostalAddress) => joinParts(city, `${state ?? ''} ${zip ?? ''}`.trim());

/** An address in one line: `12 Maple Street, Suite 3, Brooklyn, NY 11201`. Missing parts leave no commas behind. */
export const addressLine = (address: PostalAddress) => joinParts(streetOf(address), cityLine(address));

const joinParts = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(', ');

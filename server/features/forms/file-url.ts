/** How an answer names a file of its visit. */
export const fileUrl = (fileId: string) => `urn:uuid:${fileId}`;

/** The id of the file an answer names; null for any other address. */
export function fileIdOf(url: unknown): string | null {
  return typeof url === 'string' ? (/^urn:uuid:([0-9a-f-]{36})$/.exec(url)?.[1] ?? null) : null;
}

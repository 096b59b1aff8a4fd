/** How an answer refers to a file of its visit. */
export const fileUrl = (fileId: string) => `urn:uuid:${fileId}`;

/** The id of the file an answer refers to; null for any other URL. */
export function fileIdOf(url: unknown): string | null {
  return typeof url === 'string' ? (/^urn:uuid:([0-9a-f-]{36})$/.exec(url)?.[1] ?? null) : null;
}

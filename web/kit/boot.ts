/**
 * Data the server embedded in the page, so that the first paint needs no request. Empty if there is none (development server). The caller
 * names the expected shape; every field may be missing.
 */
export function boot<T extends object>(): Partial<T> {
  const text = document.getElementById('boot')?.textContent;
  return text ? (JSON.parse(text) as Partial<T>) : {};
}

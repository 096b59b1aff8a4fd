/**
 * What the server wrote into the page, so that the first paint needs no call. Empty when it wrote
 * nothing (development server). The caller names the shape it expects; every field may be missing.
 */
export function boot<T extends object>(): Partial<T> {
  const text = document.getElementById('boot')?.textContent;
  return text ? (JSON.parse(text) as Partial<T>) : {};
}

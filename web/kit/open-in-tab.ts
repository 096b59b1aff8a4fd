/** Opens an empty tab. Call it in the handler of a click or key: after an `await` the browser would block it as a pop-up. */
export const openBlankTab = (): Window | null => window.open('about:blank', '_blank');

/** Opens a URL that has to be fetched first in a new tab; in this tab if the browser opens none. */
export async function openInTab(fetchUrl: () => Promise<string>): Promise<void> {
  const tab = openBlankTab();
  try {
    const url = await fetchUrl();
    if (tab) tab.location.replace(new URL(url, location.href));
    else location.assign(url);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

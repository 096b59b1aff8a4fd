/**
 * Styles that are there or on their way, by address.
 * @type {Record<string, Promise<unknown>>}
 */
const styles = {};

/**
 * @param {string} rel
 * @param {string} href
 */
function addLink(rel, href) {
  const link = document.createElement('link');
  Object.assign(link, { rel, href, crossOrigin: '' });
  document.head.append(link);
  return link;
}

/** @param {string} href */
const isAskedFor = (href) => document.querySelector(`link[href="${href}"]`) !== null;

/**
 * A style that did not load is asked for again by the next import that needs it.
 * @param {string} href
 */
const loadStyle = (href) =>
  new Promise((loaded, failed) => {
    const link = addLink('stylesheet', href);
    link.onload = loaded;
    link.onerror = () => {
      link.remove();
      delete styles[href];
      failed(new Error(`${href} did not load`));
    };
  });

/**
 * Imports a part of the page when its styles are there, and asks for the scripts that it needs with it instead of after it. A build of the
 * phone calls this for each `import()`, in the place of Vite's own.
 * @template Part
 * @param {() => Promise<Part>} load
 * @param {string[]} [files]
 */
export async function __vitePreload(load, files = []) {
  for (const href of files.map((file) => `/${file}`)) {
    if (isAskedFor(href)) continue;
    if (href.endsWith('.css')) styles[href] = loadStyle(href);
    else addLink('modulepreload', href);
  }
  await Promise.all(files.map(async (file) => styles[`/${file}`]));
  return load();
}

import { isDropped, safeHref, safePicture, tagFor, type RichElement, type RichNode } from './rich-nodes.ts';

/** Comments, tags with their attributes, and the text between them. */
const tokens = /<!--[\s\S]*?-->|<[!?][^>]*>|<(\/?)([A-Za-z][A-Za-z0-9]*)((?:"[^"]*"|'[^']*'|[^'"<>])*)>|[^<]+|</g;
const attributes = /([A-Za-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const withoutContent = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'col', 'wbr']);

/** Elements inside one another; one that is deeper is left out, and its text is in what is around it. Drawing them is recursive. */
const deepest = 40;

/** Reads XHTML into harmless elements. Never throws: what is not closed ends with what is around it. */
export function readXhtml(source: string): RichNode[] {
  const root: RichNode[] = [];
  const open: { name: string; children: RichNode[] }[] = [{ name: '', children: root }];
  let skipped: string | undefined;
  for (const [text, slash, tagName, attributeText = ''] of source.matchAll(tokens)) {
    const name = tagName?.toLowerCase();
    if (skipped !== undefined) {
      if (slash && name === skipped) skipped = undefined;
      continue;
    }
    const around = open.at(-1);
    if (name === undefined) {
      if (!/^<[!?]/.test(text)) around?.children.push(decode(text).replace(/[ \t\r\n]+/g, ' '));
    } else if (slash) close(open, name);
    else if (isDropped(name)) skipped = attributeText.endsWith('/') ? undefined : name;
    else {
      if (open.length > deepest) continue;
      const element = elementOf(name, attributeText);
      if (element) around?.children.push(element);
      if (withoutContent.has(name) || attributeText.endsWith('/')) continue;
      // What is only left out has its text in what is around it.
      open.push({ name, children: element ? element.children : (around?.children ?? root) });
    }
  }
  return root;
}

function close(open: { name: string }[], name: string): void {
  const at = open.findLastIndex((one) => one.name === name);
  if (at > 0) open.length = at;
}

function elementOf(name: string, attributeText: string): RichElement | undefined {
  const tag = tagFor(name);
  if (!tag) return undefined;
  const attributeMap = new Map<string, string>();
  for (const [, key = '', one, other] of attributeText.matchAll(attributes))
    attributeMap.set(key.toLowerCase(), decode(one ?? other ?? ''));
  if (tag === 'a') {
    const href = safeHref(attributeMap.get('href'));
    return href === undefined ? undefined : { tag, href, children: [] };
  }
  if (tag !== 'img') return { tag, children: [] };
  const src = safePicture(attributeMap.get('src'));
  return src === undefined ? undefined : { tag, src, alt: attributeMap.get('alt') ?? '', children: [] };
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|([a-z]+));/g, (whole, decimal, hex, name: string) => {
    if (name) return signs[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '';
  });
}

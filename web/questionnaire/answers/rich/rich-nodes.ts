/** A text with a few harmless elements. What is not in these lists does not reach a screen: no script, no style, nothing from elsewhere. */
export type RichNode = string | RichElement;

export interface RichElement {
  tag: RichTag;
  children: RichNode[];
  /** Of a link: https, mail or phone. */
  href?: string;
  /** Of a picture: the picture itself as a data URL. */
  src?: string;
  alt?: string;
}

const inlineTags = ['strong', 'em', 'u', 's', 'sub', 'sup', 'code', 'br', 'a', 'img'] as const;
const blockTags = ['p', 'ul', 'ol', 'li', 'table', 'tbody', 'tr', 'th', 'td', 'pre', 'hr'] as const;
export type RichTag = (typeof inlineTags)[number] | (typeof blockTags)[number];

const allowed: ReadonlySet<string> = new Set([...inlineTags, ...blockTags]);
const blocks: ReadonlySet<string> = new Set(blockTags);

/** Elements that are shown as another one. All others that are not allowed are left out, and their text stays. */
const shownAs: Readonly<Record<string, RichTag>> = {
  b: 'strong',
  i: 'em',
  del: 's',
  strike: 's',
  ins: 'u',
  tt: 'code',
  div: 'p',
  blockquote: 'p',
  section: 'p',
  h1: 'p',
  h2: 'p',
  h3: 'p',
  h4: 'p',
  h5: 'p',
  h6: 'p',
};

/** Elements whose text nobody should read either. */
const dropped =
  /^(?:script|style|iframe|object|embed|svg|math|template|head|title|textarea|select|noscript|video|audio)$/;

export const isBlock = (node: RichNode): boolean => typeof node !== 'string' && blocks.has(node.tag);

/** The element that shows a tag of the source; undefined if only its text is shown. */
export function tagFor(name: string): RichTag | undefined {
  const tag = Object.hasOwn(shownAs, name) ? shownAs[name] : name;
  return tag !== undefined && allowed.has(tag) ? (tag as RichTag) : undefined;
}

export const isDropped = (name: string): boolean => dropped.test(name);

/** The address of a link; undefined if it leads anywhere but to a page, a mailbox or a phone. */
export function safeHref(href: string | undefined): string | undefined {
  const address = href?.trim() ?? '';
  return /^(?:https:\/\/|mailto:|tel:)[^\s]+$/i.test(address) ? address : undefined;
}

/** A picture inside the text; undefined for one that would be loaded from elsewhere. */
export function safePicture(src: string | undefined): string | undefined {
  return src !== undefined && /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/.test(src)
    ? src
    : undefined;
}

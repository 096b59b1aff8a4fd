import { safeHref, type RichElement, type RichNode, type RichTag } from './rich-nodes.ts';

const element = (tag: RichTag, children: RichNode[]): RichElement => ({ tag, children });

/** Reads the markdown that forms use: paragraphs, headings, lists, rules, emphasis, code and links. Anything else stays as it is written. */
export function readMarkdown(source: string): RichNode[] {
  const nodes: RichNode[] = [];
  let paragraph: string[] = [];
  let list: RichElement | undefined;
  const endParagraph = () => {
    if (paragraph.length > 0) nodes.push(element('p', readInline(paragraph.join('\n'))));
    paragraph = [];
  };
  for (const line of source.replaceAll('\r\n', '\n').split('\n')) {
    const bullet = /^\s{0,6}(?:[-*+]|(\d{1,9})[.)])\s+(\S.*)$/.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (bullet) {
      endParagraph();
      const tag = bullet[1] === undefined ? 'ul' : 'ol';
      if (list?.tag !== tag) nodes.push((list = element(tag, [])));
      list.children.push(element('li', readInline(bullet[2] ?? '')));
      continue;
    }
    const item = list?.children.at(-1);
    if (list && line.trim() !== '' && /^\s/.test(line) && typeof item === 'object') {
      item.children.push(' ', ...readInline(line.trim()));
      continue;
    }
    if (line.trim() !== '') list = undefined;
    if (heading) {
      endParagraph();
      nodes.push(element('p', [element('strong', readInline((heading[1] ?? '').replace(/[\s#]+$/, '')))]));
    } else if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) {
      endParagraph();
      nodes.push(element('hr', []));
    } else if (line.trim() === '') endParagraph();
    else paragraph.push(line.replace(/^\s{0,3}>\s?/, ''));
  }
  endParagraph();
  return nodes;
}

/** What begins something inside a line. None of them looks further than to its own end. */
const marks =
  /\\([!-/:-@[-`{-~])|`([^`\n]+)`|!?\[([^\][\n]*)\]\(([^()\s]*)(?:\s+"[^"\n]*")?\)|<(https:\/\/[^\s<>]+|[^\s<>@]+@[^\s<>@]+)>|<br\s*\/?>| {2,}\n|\n|(\*\*|__|\*|_)(?=\S)/g;

/** Reads emphasis, code, links and line breaks. */
function readInline(text: string, depth = 0): RichNode[] {
  const nodes: RichNode[] = [];
  let plain = '';
  const add = (node: RichNode) => {
    if (plain !== '') nodes.push(plain);
    plain = '';
    nodes.push(node);
  };
  marks.lastIndex = 0;
  let at = 0;
  for (let mark = next(text, at); mark; mark = next(text, at)) {
    const [whole, escaped, code, label, address, auto, emphasis] = mark;
    plain += text.slice(at, mark.index);
    at = mark.index + whole.length;
    if (escaped !== undefined) plain += escaped;
    else if (code !== undefined) add(element('code', [code]));
    else if (label !== undefined) {
      const href = whole.startsWith('!') ? undefined : safeHref(address);
      if (href === undefined) plain += label;
      else add({ tag: 'a', href, children: depth < 8 ? readInline(label, depth + 1) : [label] });
    } else if (auto !== undefined)
      add({ tag: 'a', href: auto.startsWith('https:') ? auto : `mailto:${auto}`, children: [auto] });
    else if (emphasis !== undefined) {
      const end = depth < 8 ? closing(text, at, emphasis, mark.index) : -1;
      if (end < 0) plain += whole;
      else {
        add(element(emphasis.length === 2 ? 'strong' : 'em', readInline(text.slice(at, end), depth + 1)));
        at = end + emphasis.length;
      }
    } else if (whole === '\n') plain += ' ';
    else add(element('br', []));
  }
  plain += text.slice(at);
  if (plain !== '') nodes.push(plain);
  return nodes;
}

function next(text: string, from: number): RegExpExecArray | null {
  marks.lastIndex = from;
  return marks.exec(text);
}

/** Where an emphasis ends; -1 if it does not. An underscore inside a word is one. */
function closing(text: string, from: number, mark: string, start: number): number {
  const isWord = (at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at));
  if (mark.startsWith('_') && isWord(start - 1)) return -1;
  for (let end = text.indexOf(mark, from); end >= 0; end = text.indexOf(mark, end + 1)) {
    if (end === from || /\s/.test(text.charAt(end - 1))) continue;
    if (mark.length === 1 && (text.charAt(end + 1) === mark || text.charAt(end - 1) === mark)) continue;
    if (mark.startsWith('_') && isWord(end + mark.length)) continue;
    return end;
  }
  return -1;
}

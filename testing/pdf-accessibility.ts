import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRef,
  PDFStream,
  PDFString,
  type PDFObject,
} from 'pdf-lib';
import { contentOf } from './pdf-texts.ts';

export interface StructureElement {
  type: string;
  alt?: string;
  actualText?: string;
  children: StructureElement[];
}

const name = PDFName.of;
const textOf = (object: PDFObject | undefined) =>
  object instanceof PDFString || object instanceof PDFHexString ? object.decodeText() : undefined;

/**
 * The rules of PDF/UA-1 that a machine can check (the Matterhorn protocol's), as far as our documents can break them. Returns what is
 * wrong, and the tree of structure elements.
 */
export async function checkAccessibility(bytes: Uint8Array): Promise<{ problems: string[]; root: StructureElement }> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const { catalog, context } = pdf;
  const problems: string[] = [];
  const require = (isSo: unknown, problem: string) => void (isSo || problems.push(problem));

  require(pdf.getTitle(), 'no title');
  require(textOf(catalog.lookup(name('Lang'))), 'no language');
  require(catalog.lookup(name('MarkInfo'), PDFDict).get(name('Marked'))?.toString() === 'true', 'not marked as tagged');
  const preferences = catalog.lookup(name('ViewerPreferences'), PDFDict);
  require(preferences.get(name('DisplayDocTitle'))?.toString() === 'true', 'the title is not displayed');
  const metadata = Buffer.from(catalog.lookup(name('Metadata'), PDFStream).getContents()).toString('utf8');
  require(/<pdfuaid:part>1<\/pdfuaid:part>/.test(metadata), 'does not say that it is PDF/UA-1');
  require(/<dc:title>/.test(metadata) && !/&(?!amp;|lt;|gt;)/.test(metadata), 'the metadata has no title or is no XML');

  const treeRoot = catalog.lookup(name('StructTreeRoot'), PDFDict);
  const numbers = treeRoot.lookup(name('ParentTree'), PDFDict).lookup(name('Nums'), PDFArray);
  const parents = new Map<number, PDFObject | undefined>();
  for (let i = 0; i < numbers.size(); i += 2)
    parents.set(numbers.lookup(i, PDFNumber).asNumber(), numbers.lookup(i + 1));

  /** Elements by what they hold: `page object number/MCID`, or the object number of an annotation. */
  const owners = new Map<string, PDFDict>();
  const numberOf = (ref: PDFObject | undefined) => (ref instanceof PDFRef ? ref.objectNumber : -1);
  const read = (element: PDFDict, parent: PDFObject): StructureElement => {
    const type = element.lookup(name('S'), PDFName).decodeText();
    require(context.lookup(element.get(name('P'))) === parent, `${type} does not know its parent`);
    const kids = element.lookup(name('K'));
    const children: StructureElement[] = [];
    for (const kid of kids instanceof PDFArray ? kids.asArray() : [element.get(name('K'))]) {
      const object = context.lookup(kid);
      if (object instanceof PDFNumber) owners.set(`${numberOf(element.get(name('Pg')))}/${object.asNumber()}`, element);
      else if (object instanceof PDFDict && object.has(name('MCID')))
        owners.set(`${numberOf(object.get(name('Pg')))}/${object.lookup(name('MCID'), PDFNumber).asNumber()}`, element);
      else if (object instanceof PDFDict && object.has(name('Obj')))
        owners.set(`${numberOf(object.get(name('Obj')))}`, element);
      else if (object instanceof PDFDict) children.push(read(object, element));
    }
    const [alt, actualText] = [textOf(element.lookup(name('Alt'))), textOf(element.lookup(name('ActualText')))];
    if (type === 'Figure') {
      require(alt, 'a figure without a description');
      require(element.lookupMaybe(name('A'), PDFDict)?.has(name('BBox')), 'a figure without its box');
    }
    return { type, children, ...(alt && { alt }), ...(actualText && { actualText }) };
  };
  const first = treeRoot.lookup(name('K'), PDFArray);
  require(first.size() === 1, 'not one root element');
  const root = read(first.lookup(0, PDFDict), treeRoot);
  problems.push(...nestingProblems(root));

  for (const [i, page] of pdf.getPages().entries()) {
    const at = `page ${i + 1}`;
    require(page.node.get(name('Tabs'))?.toString() === '/S', `${at}: tab order does not follow the structure`);
    const tree = parents.get(page.node.lookup(name('StructParents'), PDFNumber).asNumber());
    const contents = markedContents(contentOf(page), (problem) => problems.push(`${at}: ${problem}`));
    require(new Set(contents).size === contents.length, `${at}: marked content numbers repeat`);
    for (const id of contents) {
      const owner = owners.get(`${page.ref.objectNumber}/${id}`);
      const listed = tree instanceof PDFArray ? tree.lookup(id) : undefined;
      require(owner && owner === listed, `${at}: content ${id} is in no element, or in another one`);
    }
    const annotations = page.node.Annots()?.asArray() ?? [];
    for (const annotation of annotations) {
      const dict = context.lookup(annotation, PDFDict);
      const owner = owners.get(`${numberOf(annotation)}`);
      const key = dict.lookupMaybe(name('StructParent'), PDFNumber)?.asNumber() ?? -1;
      require(owner && parents.get(key) === owner, `${at}: an annotation outside the structure`);
      require(textOf(dict.lookup(name('TU'))), `${at}: a field without a description`);
    }
    const fonts = page.node.Resources()?.lookupMaybe(name('Font'), PDFDict);
    for (const font of fonts?.values() ?? []) problems.push(...fontProblems(context.lookup(font, PDFDict)));
  }
  return { problems, root };
}

/** Checks that everything drawn is content or an artifact, and that neither is nested; returns the numbers of the content. */
function markedContents(content: string, report: (problem: string) => void): number[] {
  const ids: number[] = [];
  const open: string[] = [];
  const withoutStrings = content.replaceAll(/\((?:\\.|[^\\)])*\)/gs, '()');
  for (const [token, tag, properties] of withoutStrings.matchAll(
    /\/(\w+)\s*(<<(?:[^>]|>(?!>))*>>)?\s*(?:BDC|BMC)|\bEMC\b|\b(?:TJ|Tj|Do|S|f|B)\b/g,
  )) {
    if (tag !== undefined) {
      const id = /\/MCID (\d+)/.exec(properties ?? '')?.[1];
      if (id !== undefined) ids.push(Number(id));
      if (open.length > 0) report(`${tag} inside ${open.join(' ')}`);
      if (id === undefined && tag !== 'Artifact') report(`${tag} is neither content nor an artifact`);
      open.push(tag);
    } else if (token === 'EMC') {
      if (!open.pop()) report('EMC without a beginning');
    } else if (open.length === 0) report(`${token} outside of marked content`);
  }
  if (open.length > 0) report(`${open.join(' ')} does not end`);
  return ids;
}

const allowed: Record<string, RegExp> = {
  L: /^LI$/,
  LI: /^(Lbl|LBody)$/,
  Table: /^TR$/,
  TR: /^(TH|TD)$/,
};

function nestingProblems(root: StructureElement): string[] {
  const problems: string[] = [];
  let heading = 0;
  const walk = (element: StructureElement) => {
    const level = Number(/^H(\d)$/.exec(element.type)?.[1] ?? 0);
    if (level > heading + 1) problems.push(`H${level} follows H${heading}`);
    if (level > 0) heading = level;
    for (const child of element.children) {
      if (allowed[element.type] && !allowed[element.type]?.test(child.type))
        problems.push(`${child.type} in ${element.type}`);
      walk(child);
    }
  };
  walk(root);
  return problems;
}

function fontProblems(font: PDFDict): string[] {
  const problems: string[] = [];
  if (!font.has(name('ToUnicode'))) problems.push('a font without characters');
  const descendant = font.lookup(name('DescendantFonts'), PDFArray).lookup(0, PDFDict);
  if (!descendant.lookup(name('FontDescriptor'), PDFDict).has(name('FontFile2')))
    problems.push('a font that is not embedded');
  if (descendant.get(name('CIDToGIDMap'))?.toString() !== '/Identity') problems.push('a font without a glyph map');
  return problems;
}

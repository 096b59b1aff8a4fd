import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFHexString,
  PDFNumber,
  PDFObjectCopier,
  PDFPage,
  type PDFPageLeaf,
  type PDFRef,
} from 'pdf-lib';
import type { Box } from './figures.ts';

/**
 * Adds to a PDF that `createPdf` wrote, and tags what it adds: pages at the end, a figure on a page, a signature field. Uses pdf-lib,
 * because PDFKit can write a PDF but not open one.
 */
export interface TaggedPdf {
  pdf: PDFDocument;
  /** Appends the pages of another tagged PDF. Its tags become a section of this document's tags. */
  appendPages(source: Uint8Array): Promise<void>;
  /** Draws the first page of another PDF into `box`, tagged as a figure that `alt` describes. */
  stamp(overlay: Uint8Array, box: Box, alt: string): Promise<void>;
  /** Tags the form fields that were added to pages, with a description for screen readers. */
  tagFields(description: string): void;
}

export async function openTaggedPdf(bytes: Uint8Array): Promise<TaggedPdf> {
  const pdf = await PDFDocument.load(bytes);
  const { context } = pdf;
  const structure = structureOf(pdf);

  const addElement = (fields: Record<string, unknown>): PDFRef => {
    const element = context.register(context.obj({ Type: 'StructElem', P: structure.documentRef, ...fields } as never));
    structure.children().push(element);
    return element;
  };
  const addParents = (value: PDFRef | PDFArray): number => {
    const key = structure.nextKey();
    structure.parents().push(PDFNumber.of(key));
    structure.parents().push(value);
    return key;
  };

  return {
    pdf,
    async appendPages(bytes) {
      const source = await PDFDocument.load(bytes);
      const from = structureOf(source);
      // Removes the link to the parent: the copier follows it and would copy the whole tree a second time.
      source.context.lookup(from.documentRef, PDFDict).delete(PDFName.of('P'));
      const copier = PDFObjectCopier.for(source.context, context);
      for (const page of source.getPages()) {
        const ref = copier.copy(page.ref);
        const leaf = context.lookup(ref, PDFDict) as PDFPageLeaf;
        const key = addParents(copier.copy(from.parentsOf(page)));
        leaf.set(PDFName.of('StructParents'), PDFNumber.of(key));
        pdf.addPage(PDFPage.of(leaf, ref, pdf));
      }
      const section = copier.copy(from.documentRef);
      const element = context.lookup(section, PDFDict);
      element.set(PDFName.of('S'), PDFName.of('Sect'));
      element.set(PDFName.of('P'), structure.documentRef);
      structure.children().push(section);
    },
    async stamp(overlay, { page: number, x, y, width, height }, alt) {
      const page = pdf.getPage(number - 1);
      const [drawing] = await pdf.embedPdf(overlay, [0]);
      if (!drawing) throw new Error('an overlay has one page');
      await drawing.embed();
      const parents = structure.parentsOf(page);
      const name = page.node.newXObject('Stamp', drawing.ref);
      const figure = addElement({
        S: 'Figure',
        Pg: page.ref,
        K: parents.size(),
        Alt: text(alt),
        A: { O: 'Layout', Placement: 'Block', BBox: [x, y, x + width, y + height] },
      });
      const content = `/Figure <</MCID ${parents.size()}>> BDC q ${name.toString()} Do Q EMC`;
      parents.push(figure);
      page.node.addContentStream(context.register(context.stream(content)));
    },
    tagFields(description) {
      for (const page of pdf.getPages()) {
        const annotations = page.node.Annots();
        if (!annotations) continue;
        page.node.set(PDFName.of('Tabs'), PDFName.of('S'));
        for (const ref of annotations.asArray()) {
          const widget = context.lookup(ref, PDFDict);
          widget.set(PDFName.of('TU'), text(description));
          widget.set(PDFName.of('Contents'), text(description));
          const element = addElement({
            S: 'Form',
            Pg: page.ref,
            Alt: text(description),
            K: { Type: 'OBJR', Obj: ref, Pg: page.ref },
          });
          widget.set(PDFName.of('StructParent'), PDFNumber.of(addParents(element)));
        }
      }
    },
  };
}

function structureOf(pdf: PDFDocument) {
  const root = pdf.catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict);
  const documentRef = root.lookup(PDFName.of('K'), PDFArray).get(0) as PDFRef;
  const tree = root.lookup(PDFName.of('ParentTree'), PDFDict);
  const parents = () => tree.lookup(PDFName.of('Nums'), PDFArray);
  // A root node of a number tree has no limits.
  tree.delete(PDFName.of('Limits'));
  const nextKey = PDFName.of('ParentTreeNextKey');
  return {
    documentRef,
    parents,
    children: () => pdf.context.lookup(documentRef, PDFDict).lookup(PDFName.of('K'), PDFArray),
    nextKey() {
      const key = root.lookup(nextKey, PDFNumber).asNumber();
      root.set(nextKey, PDFNumber.of(key + 1));
      return key;
    },
    /** The elements that a page's marked contents belong to, indexed by the content's id (MCID). */
    parentsOf(page: PDFPage): PDFArray {
      const key = page.node.lookup(PDFName.of('StructParents'), PDFNumber).asNumber();
      const all = parents();
      for (let i = 0; i < all.size(); i += 2)
        if (all.lookup(i, PDFNumber).asNumber() === key) return all.lookup(i + 1, PDFArray);
      throw new Error('a page without structure');
    },
  };
}

const text = (value: string) => PDFHexString.fromText(value);

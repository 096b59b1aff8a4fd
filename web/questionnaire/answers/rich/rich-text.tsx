import { useLingui } from '@lingui/react/macro';
import { createElement, type ReactNode } from 'react';
import { extensionOf, extensionsOf, translationOf, urls } from '#questionnaire/extensions.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { questionText } from '#questionnaire/form-texts.ts';
import { limits, type Attachment, type FhirElement } from '#questionnaire/questionnaire.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import css from './rich-text.module.css';
import { readMarkdown } from './markdown.ts';
import { isBlock, safeHref, type RichNode } from './rich-nodes.ts';
import { readXhtml } from './xhtml.ts';

interface RichTextProps {
  item: FormItem;
  /** Inside a label or a heading: without paragraphs and lists. */
  isInline: boolean;
}

/** An item's text as its author laid it out. A translation has no layout, so it is shown as it is. */
export function RichText({ item, isInline }: RichTextProps) {
  const language = useLanguage();
  const nodes = richNodesOf(item.source.text, item.source._text, language);
  if (!nodes) return questionText(item, language);
  return isInline ? inline(nodes) : <div className={css.rich}>{shown(nodes)}</div>;
}

/** The elements of a text that has a layout in that language. */
function richNodesOf(text: string | undefined, beside: FhirElement | undefined, language: 'en' | 'es') {
  if (translationOf(undefined, beside, language) !== '' && translationOf(text, beside, language) !== text)
    return undefined;
  const xhtml = extensionOf(beside, urls.xhtml)?.['valueString'];
  if (typeof xhtml === 'string') return isTooLong(xhtml) ? undefined : readXhtml(xhtml);
  const markdown = extensionOf(beside, urls.markdown);
  const written = markdown?.['valueMarkdown'] ?? markdown?.['valueString'];
  return typeof written === 'string' && !isTooLong(written) ? readMarkdown(written) : undefined;
}

/** A longer one is shown as plain text: reading it could hold up the phone. Pictures inside it do not count. */
const isTooLong = (source: string) => source.replaceAll(/"data:[^"]*"|'data:[^']*'/g, '').length > limits.textLength;

function shown(nodes: readonly RichNode[]): ReactNode[] {
  return nodes.map((node, key) => {
    if (typeof node === 'string') return node;
    const { tag, children, href, src, alt } = node;
    const isEmpty = tag === 'br' || tag === 'hr' || tag === 'img';
    const props = {
      key,
      ...(href !== undefined && { href, target: '_blank', rel: 'noreferrer' }),
      ...(src !== undefined && { src, alt }),
    };
    return createElement(tag, props, ...(isEmpty ? [] : [shown(children)]));
  });
}

/** Paragraphs and lists become lines. */
function inline(nodes: readonly RichNode[]): ReactNode[] {
  const lines = (given: readonly RichNode[]): RichNode[] =>
    given.flatMap((node, i): RichNode[] => {
      if (typeof node === 'string' || !isBlock(node)) return [node];
      const inside = lines(node.children);
      return i === 0 ? inside : [{ tag: 'br', children: [] }, ...inside];
    });
  return shown(lines(nodes));
}

/** Pictures, sounds and films that are inside the questionnaire. One that is elsewhere is a link: nothing is loaded unasked. */
export function ItemMedia({ item }: { item: FormItem }) {
  const { t } = useLingui();
  return extensionsOf(item.source, urls.itemMedia).map(({ valueAttachment }, i) => {
    const { contentType = '', data, url, title } = (valueAttachment ?? {}) as Attachment;
    const inside = typeof data === 'string' ? `data:${contentType};base64,${data}` : undefined;
    if (inside !== undefined && /^image\/[\w.+-]+$/.test(contentType))
      return <img key={i} className={css.media} src={inside} alt={title ?? ''} />;
    if (inside !== undefined && /^audio\/[\w.+-]+$/.test(contentType))
      return <audio key={i} className={css.media} src={inside} title={title} controls />;
    if (inside !== undefined && /^video\/[\w.+-]+$/.test(contentType))
      return <video key={i} className={css.media} src={inside} title={title} controls />;
    const href = safeHref(url);
    if (href === undefined) return null;
    return (
      <p key={i}>
        <a href={href} target="_blank" rel="noreferrer">
          {title ?? (contentType.startsWith('image/') ? t`Open the picture` : t`Open the recording`)}
        </a>
      </p>
    );
  });
}

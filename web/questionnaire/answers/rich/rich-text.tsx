import { useLingui } from '@lingui/react/macro';
import { createElement, type ReactNode } from 'react';
import { extensionOf, extensionsOf, translationOf, urls } from '#questionnaire/extensions.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { questionText } from '#questionnaire/form-texts.ts';
import { extensionsOfOption, type Option } from '#questionnaire/options.ts';
import { limits, type Attachment, type Extension, type FhirElement } from '#questionnaire/questionnaire.ts';
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
  return isInline ? inline(nodes) : <div className={css.rich}>{renderNodes(nodes)}</div>;
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

function renderNodes(nodes: readonly RichNode[]): ReactNode[] {
  return nodes.map((node, key) => {
    if (typeof node === 'string') return node;
    const { tag, children, href, src, alt } = node;
    const isEmpty = tag === 'br' || tag === 'hr' || tag === 'img';
    const props = {
      key,
      ...(href !== undefined && { href, target: '_blank', rel: 'noreferrer' }),
      ...(src !== undefined && { src, alt }),
    };
    return createElement(tag, props, ...(isEmpty ? [] : [renderNodes(children)]));
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
  return renderNodes(lines(nodes));
}

/** Pictures, sounds and films that are inside the questionnaire. One that is elsewhere is a link: nothing is loaded unasked. */
export function ItemMedia({ item }: { item: FormItem }) {
  return mediaOf(item.source.extension, urls.itemMedia).map((file, i) => <Media key={i} file={file} about="" />);
}

/** The pictures of an option, inside its label. */
export function OptionPictures({ option, label }: { option: Option; label: string }) {
  return mediaOf(extensionsOfOption(option), urls.itemAnswerMedia)
    .filter(isPictureInside)
    .map(({ contentType, data, title }, i) => (
      <img
        key={i}
        className={css.optionPicture}
        src={`data:${contentType};base64,${data}`}
        alt={title === undefined || title === label ? '' : title}
      />
    ));
}

/** What else options have, below them: a label must not hold something to press. */
export function OptionRecordings({ choices }: { choices: readonly { option?: Option; label: string }[] }) {
  return choices.flatMap(({ option, label }, nth) =>
    mediaOf(option && extensionsOfOption(option), urls.itemAnswerMedia)
      .filter((file) => !isPictureInside(file))
      .map((file, i) => <Media key={`${nth} ${i}`} file={file} about={label} />),
  );
}

const mediaOf = (extension: Extension[] | undefined, url: string): Attachment[] =>
  extensionsOf({ extension }, url).map(({ valueAttachment }) => (valueAttachment ?? {}) as Attachment);

const isPictureInside = ({ contentType = '', data }: Attachment): boolean =>
  typeof data === 'string' && /^image\/[\w.+-]+$/.test(contentType);

function Media({ file, about }: { file: Attachment; about: string }) {
  const { t } = useLingui();
  const { contentType = '', data, url, title } = file;
  const inside = typeof data === 'string' ? `data:${contentType};base64,${data}` : undefined;
  const name = [about, title].filter(Boolean).join(': ') || undefined;
  if (isPictureInside(file)) return <img className={css.media} src={inside} alt={title ?? ''} />;
  if (inside !== undefined && /^audio\/[\w.+-]+$/.test(contentType))
    return <audio className={css.media} src={inside} title={name} controls />;
  if (inside !== undefined && /^video\/[\w.+-]+$/.test(contentType))
    return <video className={css.media} src={inside} title={name} controls />;
  const href = safeHref(url);
  if (href === undefined) return null;
  const label = title ?? (contentType.startsWith('image/') ? t`Open the picture` : t`Open the recording`);
  return (
    <p>
      <a href={href} target="_blank" rel="noreferrer">
        {about ? `${about}: ${label}` : label}
      </a>
    </p>
  );
}

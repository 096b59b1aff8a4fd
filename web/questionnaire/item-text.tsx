import { questionText } from '#questionnaire/form-texts.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { hasLayout, hasMedia, usePart } from './lazy-parts.ts';

/** An item's text, laid out as its author wrote it. */
export function ItemText({ item, isInline = false }: { item: FormItem; isInline?: boolean }) {
  const language = useLanguage();
  const rich = usePart(hasLayout(item) ? 'rich' : null);
  return rich ? <rich.RichText item={item} isInline={isInline} /> : questionText(item, language);
}

/** The pictures and recordings of an item. */
export function ItemMedia({ item }: { item: FormItem }) {
  const rich = usePart(hasMedia(item) ? 'rich' : null);
  return rich && <rich.ItemMedia item={item} />;
}

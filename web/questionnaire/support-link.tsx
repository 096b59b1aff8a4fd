import { useLingui } from '@lingui/react/macro';
import { extensionsOf, urls } from '#questionnaire/extensions.ts';
import type { FormItem } from '#questionnaire/form-item.ts';

/** Pages to read more on: of this installation, or on the web. */
export function SupportLinks({ item }: { item: FormItem }) {
  const { t } = useLingui();
  return extensionsOf(item.source, urls.supportLink).map(({ valueUri: url }) =>
    typeof url === 'string' && /^(https:\/\/|\/(?![/\\]))/.test(url) ? (
      <a key={url} href={url} target="_blank" rel="noreferrer">
        {t`Read more`}
      </a>
    ) : null,
  );
}

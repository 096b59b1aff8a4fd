import { useLingui } from '@lingui/react/macro';
import { documentPath, type PublicDocument } from '#contract/documents.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import css from './public-documents.module.css';

/** Links to the public documents; each opens in a new tab. */
export function PublicDocuments() {
  const { t } = useLingui();
  const language = useLanguage();
  const names: Record<PublicDocument, string> = {
    'terms.pdf': t`Terms of Service`,
    'privacy.pdf': t`Privacy Notice`,
    'baa.pdf': t`Business Associate Agreement`,
  };
  return (
    <nav className={css.links} aria-label={t`Documents`}>
      {Object.entries(names).map(([file, name]) => (
        <a key={file} href={documentPath(file as PublicDocument, language)} target="_blank" rel="noopener">
          {name}
        </a>
      ))}
    </nav>
  );
}

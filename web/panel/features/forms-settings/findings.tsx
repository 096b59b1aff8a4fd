import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { FormFinding } from '#contract/forms/settings.ts';
import { findingMessage } from '#questionnaire/loading/finding-messages.ts';
import type { Finding } from '#questionnaire/loading/findings.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { InfoIcon } from '#web/icons/info.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import css from './findings.module.css';
import { lineOfJsonPath } from './line-of-json-path.ts';

/** The findings about a file, errors first, each with its path and line. */
export function Findings({ findings, text }: { findings: readonly FormFinding[]; text: string }) {
  const { t } = useLingui();
  const language = useLanguage();
  const sorted = [...findings].sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
  if (sorted.length === 0) return null;
  return (
    <ul className={css.findings}>
      {sorted.map((finding, i) => {
        const line = finding.place === '' ? undefined : lineOfJsonPath(text, finding.place);
        return (
          <li key={i} className={css.finding}>
            {finding.severity === 'error' ? (
              <StatusBadge tone="red" icon={WarningIcon}>{t`Error`}</StatusBadge>
            ) : (
              <StatusBadge tone="amber" icon={InfoIcon}>{t`Warning`}</StatusBadge>
            )}
            <div>
              <p>{findingMessage({ ...finding, detail: finding.detail ?? '' } as Finding, language)}</p>
              {finding.place !== '' && (
                <p className={css.place}>
                  {line !== undefined && <span>{t`Line ${line}`}</span>}
                  <code>{finding.place}</code>
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** The numbers of errors and warnings as texts. */
export function useFindingCounts(): (findings: readonly FormFinding[]) => { errors: string; warnings: string } {
  const { t } = useLingui();
  return (findings) => {
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const warnings = findings.length - errors;
    return {
      errors: t`${plural(errors, { one: '# error', other: '# errors' })}`,
      warnings: t`${plural(warnings, { one: '# warning', other: '# warnings' })}`,
    };
  };
}

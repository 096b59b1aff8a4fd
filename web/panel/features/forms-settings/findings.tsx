import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { FormFinding } from '#contract/forms/settings.ts';
import { findingMessage } from '#questionnaire/loading/finding-messages.ts';
import { groupFindings, type Finding } from '#questionnaire/loading/findings.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { InfoIcon } from '#web/icons/info.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import css from './findings.module.css';
import { lineOfJsonPath } from './line-of-json-path.ts';

/** The findings about a file, errors first, each with its question, path and line. Those of one kind are one row that opens. */
export function Findings({ findings, text }: { findings: readonly FormFinding[]; text: string }) {
  const { t } = useLingui();
  if (findings.length === 0) return null;
  return (
    <ul className={css.findings}>
      {groupFindings(findings).map(({ first, others }, i) => (
        <li key={i} className={css.finding}>
          {first.severity === 'error' ? (
            <StatusBadge tone="red" icon={WarningIcon}>{t`Error`}</StatusBadge>
          ) : (
            <StatusBadge tone="amber" icon={InfoIcon}>{t`Warning`}</StatusBadge>
          )}
          <div className={css.what}>
            <FindingText finding={first} text={text} />
            {others.length > 0 && <Others findings={others} text={text} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What is wrong, at which question, and where in the file. */
function FindingText({ finding, text }: { finding: FormFinding; text: string }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { place, linkId, words, expression, detail, cause } = finding;
  const line = place === '' ? undefined : lineOfJsonPath(text, place);
  const named = { detail: detail ?? '', expression: expression ?? '', cause: cause ?? '' };
  const message = findingMessage({ ...finding, ...named } as Finding, language);
  return (
    <>
      <p>{message}</p>
      {(words ?? linkId) !== null && (
        <p>
          {words !== null && <q dir="auto">{words}</q>} {linkId !== null && <code>{linkId}</code>}
        </p>
      )}
      {expression !== null && !message.includes(expression) && (
        <p>
          <code>{expression}</code>
        </p>
      )}
      {place !== '' && (
        <p className={css.place}>
          {line !== undefined && <span>{t`Line ${line}`}</span>}
          <code>{place}</code>
        </p>
      )}
    </>
  );
}

/** The other findings of one kind, which are looked up in the file only when somebody opens them. */
function Others({ findings, text }: { findings: readonly FormFinding[]; text: string }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={css.others} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t`${plural(findings.length, { one: '# more like this', other: '# more like this' })}`}</summary>
      {isOpen && (
        <ul>
          {findings.map((finding, i) => (
            <li key={i} className={css.what}>
              <FindingText finding={finding} text={text} />
            </li>
          ))}
        </ul>
      )}
    </details>
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

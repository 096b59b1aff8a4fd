import { useLingui } from '@lingui/react/macro';
import { formsPageSize, type FormItem } from '#contract/forms/desk.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { useSession } from '#web/kit/session.ts';
import { initialsOf } from '#web/panel/ui/avatar.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ChevronLeftIcon } from '#web/icons/chevron-left.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Chip, StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { Trouble } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import css from './forms.module.css';
import { formMoment } from './office-clock.ts';
import { useDownload } from './use-download.ts';
import type { Selection } from './use-selection.ts';

interface ListProps {
  forms: readonly FormItem[];
  selection: Selection;
  open: string | undefined;
  onOpen: (key: string) => void;
}

/** One page of the list. */
export function FormsList({ forms, selection, open, onOpen }: ListProps) {
  return (
    <ul className={css.list}>
      {forms.map((form) => (
        <Row key={form.id} form={form} selection={selection} isOpen={form.objectKey === open} onOpen={onOpen} />
      ))}
    </ul>
  );
}

interface RowProps extends Pick<ListProps, 'selection' | 'onOpen'> {
  form: FormItem;
  isOpen: boolean;
}

function Row({ form, selection, isOpen, onOpen }: RowProps) {
  const { t } = useLingui();
  const zone = useOfficeZone();
  const privacy = useSession().person?.preferences.privacy === true;
  const download = useDownload();
  const { objectKey, patientName, formName, completedAt, outcome, amended } = form;
  const name = privacy ? initialsOf(patientName) : patientName;
  const about = <VisuallyHidden>{`${name}, ${formName}`}</VisuallyHidden>;
  return (
    <li className={css.row} data-open={isOpen || undefined}>
      <div className={css.select}>
        <Checkbox
          label={<VisuallyHidden>{t`Select: ${name}, ${formName}, ${formMoment(completedAt, zone)}`}</VisuallyHidden>}
          checked={selection.keys.has(objectKey)}
          onChange={(event) => selection.select([objectKey], event.target.checked)}
        />
      </div>
      <div className={css.about}>
        <p className={css.patient}>{name}</p>
        <p className={css.facts}>
          <time dateTime={completedAt}>
            <bdi dir="ltr">{formMoment(completedAt, zone)}</bdi>
          </time>
          <span>{formName}</span>
          {outcome === 'review' && (
            <StatusBadge tone="amber" icon={WarningIcon}>
              {t`Review`}
            </StatusBadge>
          )}
          {outcome === 'clear' && (
            <StatusBadge tone="green" icon={CheckIcon}>
              {t({ message: 'Clear', context: 'outcome of a screening' })}
            </StatusBadge>
          )}
          {amended && <Chip>{t`Amended`}</Chip>}
        </p>
        <Trouble error={download.error} />
      </div>
      <div className={css.rowButtons}>
        <Button size="s" icon={EyeIcon} aria-expanded={isOpen} data-form={objectKey} onClick={() => onOpen(objectKey)}>
          {t({ message: 'View', context: 'open a form' })}
          {about}
        </Button>
        <Button size="s" icon={DownloadIcon} busy={download.isPending} onClick={() => download.mutate(objectKey)}>
          {t`Download`}
          {about}
        </Button>
      </div>
    </li>
  );
}

interface PagerProps {
  /** The page that is asked for; until it is here, `shown` is the one before. */
  page: number;
  shown: number;
  total: number;
  onPage: (page: number) => void;
}

/** Which of how many, and the neighbours of this page. */
export function Pager({ page, shown, total, onPage }: PagerProps) {
  const { t } = useLingui();
  const first = (shown - 1) * formsPageSize + 1;
  const last = Math.min(total, shown * formsPageSize);
  if (total <= formsPageSize && page === 1) return null;
  return (
    <nav className={css.pager} aria-label={t`Pages`}>
      <Button size="s" icon={ChevronLeftIcon} locked={page === 1} onClick={() => onPage(page - 1)}>
        {t`Previous`}
      </Button>
      <span role="status">
        {first} - {last} {t({ message: 'of', context: 'x - y of total' })} {total}
      </span>
      <Button size="s" icon={ChevronRightIcon} locked={page * formsPageSize >= total} onClick={() => onPage(page + 1)}>
        {t`Next`}
      </Button>
    </nav>
  );
}

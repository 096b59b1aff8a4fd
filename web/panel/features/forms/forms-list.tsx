import { useLingui } from '@lingui/react/macro';
import type { FormItem } from '#contract/forms/desk.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Chip, StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { formatFormTime } from './office-clock.ts';
import { ListRow } from './list-row.tsx';
import css from './list.module.css';
import { useDownloadForm } from './use-form-file.ts';
import type { Selection } from './use-selection.ts';
import { useShownName } from './use-shown-name.ts';

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
  const download = useDownloadForm();
  const { objectKey, patientName, formName, completedAt, outcome, amended } = form;
  const name = useShownName()(patientName);
  const about = <VisuallyHidden>{`${name}, ${formName}`}</VisuallyHidden>;
  const select = (
    <div className={css.select}>
      <Checkbox
        label={<VisuallyHidden>{t`Select: ${name}, ${formName}, ${formatFormTime(completedAt, zone)}`}</VisuallyHidden>}
        checked={selection.keys.has(objectKey)}
        onChange={(event) => selection.select([objectKey], event.target.checked)}
      />
    </div>
  );
  const facts = (
    <>
      <time dateTime={completedAt}>
        <bdi dir="ltr">{formatFormTime(completedAt, zone)}</bdi>
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
    </>
  );
  const buttons = (
    <>
      <Button size="s" icon={EyeIcon} aria-expanded={isOpen} data-form={objectKey} onClick={() => onOpen(objectKey)}>
        {t({ message: 'View', context: 'open a form' })}
        {about}
      </Button>
      <Button size="s" icon={DownloadIcon} busy={download.isPending} onClick={() => download.mutate(objectKey)}>
        {t`Download`}
        {about}
      </Button>
    </>
  );
  return (
    <ListRow
      lead={select}
      name={name}
      facts={facts}
      buttons={buttons}
      error={<ErrorText error={download.error} />}
      isOpen={isOpen}
    />
  );
}

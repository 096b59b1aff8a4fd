import { useLingui } from '@lingui/react/macro';
import { DownloadIcon } from '#web/icons/download.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { FormDelivery } from './form-delivery.tsx';
import { useDownloadBundle, useExtractedValues } from './use-form-file.ts';
import css from './values-pane.module.css';

/** What a form's answers become in other software, as the questionnaire says: a table, and a file. */
export function ValuesPane({ formKey }: { formKey: string }) {
  const { t } = useLingui();
  const values = useExtractedValues(formKey);
  const download = useDownloadBundle();
  if (values.isPending) return <Skeleton height={320} />;
  if (values.isError)
    return (
      <LoadError title={t`The values could not be read`} query={values}>
        <ErrorText error={values.error} />
      </LoadError>
    );
  const { values: rows, problems } = values.data;
  const failed = problems.map(({ detail }) => detail).join(' · ');
  return (
    <div className={css.pane}>
      <p className={css.note}>
        {rows.length > 0
          ? t`What other software gets from these answers, as defined in this form.`
          : t`This form does not define its answers for other software. The file has the answers only.`}
      </p>
      {failed !== '' && <Banner tone="amber">{t`Not understood, and left out: ${failed}`}</Banner>}
      {rows.length > 0 && (
        <table className={css.values}>
          <thead>
            <tr>
              <th scope="col">{t`Kind`}</th>
              <th scope="col">{t`Name`}</th>
              <th scope="col">{t`Value`}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ resource, name, value }, i) => (
              <tr key={i}>
                <td>{resource}</td>
                <td>{name}</td>
                <td dir="auto">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div>
        <Button size="s" icon={DownloadIcon} busy={download.isPending} onClick={() => download.mutate(formKey)}>
          {t`Download values (FHIR)`}
        </Button>
      </div>
      <ErrorText error={download.error} />
      <FormDelivery formKey={formKey} />
    </div>
  );
}

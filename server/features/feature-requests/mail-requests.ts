import { markedNpi } from '#contract/practice/provisional-npi.ts';
import { systemActor, type OfficeScope, type Services } from '#server/context.ts';
import { officeIds } from '#server/kit/db/office-directory.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { describeError } from '#server/kit/log.ts';
import { officeRow } from '#server/office-row.ts';
import { countMailTry, mostMailTries, setMailed, unmailedRequests } from './sql.ts';

const hour = 3_600_000;
const atOnce = 20;
export const featureNames = { chat: 'the website chat' } as const;

/** Once an hour, emails the requests whose first email failed, for two days. Without an operator's address they are only stored. */
export function startFeatureRequestMails(services: Services): Job {
  return runJob('feature-request-mails', hour, services.log, async () => {
    if (services.env.operatorEmail === undefined) return;
    for (const id of await officeIds(services.pool))
      await mailRequests(officeScope(services, id, systemActor, 'feature-request-mails'));
  });
}

/** Emails an office's requests to the operator. The email's reference is the request's id, so the operator gets each once. */
export async function mailRequests(scope: OfficeScope): Promise<void> {
  const { operatorEmail, productName } = scope.env;
  const { officeId } = scope;
  if (operatorEmail === undefined)
    return scope.log.warn(
      { officeId },
      'a feature request reaches nobody: set OPERATOR_EMAIL, or run feature-requests',
    );
  const { office, requests } = await scope.transaction(async (tx) => ({
    office: await officeRow(tx, officeId),
    requests: await unmailedRequests(tx, officeId, atOnce),
  }));
  for (const { id, feature, mailTries } of requests) {
    const wish = featureNames[feature];
    const text = `${office.name}, NPI ${markedNpi(office.npi, 'provisional')}, would like to have ${wish}.`;
    try {
      const subject = `${productName}: ${office.name.replace(/\s+/g, ' ')} asks for ${wish}`;
      await scope.providers.email.send({ to: operatorEmail, subject, text, reference: id });
      await scope.transaction((tx) => setMailed(tx, officeId, id, scope.now()));
    } catch (error) {
      await scope.transaction((tx) => countMailTry(tx, officeId, id));
      const about = { err: describeError(error as Error), featureRequest: id };
      const isLast = mailTries + 1 >= mostMailTries;
      scope.log.warn(
        about,
        isLast ? 'feature request never emailed: it is only stored' : 'feature request not emailed yet',
      );
    }
  }
}

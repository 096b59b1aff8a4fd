import { startAgreements } from '#server/features/agreement/jobs.ts';
import { startAmbulatory } from '#server/features/ambulatory/jobs.ts';
import { startAuditChaining } from '#server/features/audit/jobs.ts';
import { startConfirmationMails } from '#server/features/confirmation/jobs.ts';
import { startIncomingPictures } from '#server/features/conversations/incoming-pictures.ts';
import { startPictureSweep } from '#server/features/conversations/jobs.ts';
import { startPayments } from '#server/features/copay/jobs.ts';
import { startDemoMails } from '#server/features/demo-request/jobs.ts';
import { startFeatureRequestMails } from '#server/features/feature-requests/mail-requests.ts';
import { startFormSweep } from '#server/features/forms/jobs.ts';
import { formOperations } from '#server/features/forms/send-to-server.ts';
import { membershipOperations, startMembershipLooks } from '#server/features/membership/jobs.ts';
import { merchantOperations, startMerchantChecks } from '#server/features/merchant/jobs.ts';
import { startPushes } from '#server/features/push/jobs.ts';
import { startApplicationCleanup } from '#server/features/partner/jobs.ts';
import { startAutoInvites } from '#server/features/queue/jobs.ts';
import { startClaimMails, startNumberRentals } from '#server/features/registration/jobs.ts';
import { startSessionCleanup } from '#server/features/sign-in/jobs.ts';
import { startTexting } from '#server/features/texting/jobs.ts';
import { startChatSweep } from '#server/features/website-chat/jobs.ts';
import { completeDirectory } from '#server/kit/db/office-directory.ts';
import { forgetReplies } from '#server/kit/http/idempotency.ts';
import { runJob } from '#server/kit/live/jobs.ts';
import { forgetLimits } from '#server/kit/http/rate-limits.ts';
import { resumeOperations } from '#server/kit/provider-operations/operations.ts';
import { startProviders } from '#server/providers/index.ts';
import type { Services } from './context.ts';

/** The operations at providers that a job finishes if their process did not. */
const operationKinds = [...membershipOperations, ...merchantOperations, ...formOperations];

/** Starts all of the product's jobs in this process; the returned function stops them. */
export function startJobs(services: Services): () => Promise<void> {
  const jobs = [
    ...startAgreements(services),
    startMerchantChecks(services),
    startAutoInvites(services),
    startTexting(services),
    ...startAmbulatory(services),
    startPushes(services),
    ...startPayments(services),
    startFormSweep(services),
    startPictureSweep(services),
    startIncomingPictures(services),
    startAuditChaining(services),
    startClaimMails(services),
    startNumberRentals(services),
    startConfirmationMails(services),
    startSessionCleanup(services),
    startDemoMails(services),
    startFeatureRequestMails(services),
    startChatSweep(services),
    startMembershipLooks(services),
    startApplicationCleanup(services),
    runJob('provider-operations', 2_000, services.log, () => resumeOperations(services, operationKinds)),
    runJob('forget-replies', 3_600_000, services.log, () => forgetReplies(services)),
    runJob('complete-directory', 3_600_000, services.log, () => completeDirectory(services)),
    runJob('forget-limits', 300_000, services.log, () => forgetLimits(services.pool)),
    ...startProviders(services),
  ];
  return async () => void (await Promise.all(jobs.map((job) => job.stop())));
}
